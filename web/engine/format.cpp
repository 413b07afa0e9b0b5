// Instantiates the common parts of fmt once, compiled for size. Debian's fmt is header-only here, so otherwise each
// file has its own copy and the linker may choose one that was compiled for speed.
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {

template void buffer<char>::append(const char*, const char*);
template void vformat_to(buffer<char>&, string_view, basic_format_args<FMT_BUFFER_CONTEXT(char)>, locale_ref);
template dragonbox::decimal_fp<double> dragonbox::to_decimal(double) noexcept;
template thousands_sep_result<char> thousands_sep_impl(locale_ref);
template char decimal_point_impl(locale_ref);

}  // namespace detail
FMT_END_NAMESPACE
