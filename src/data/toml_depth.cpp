// Scans TOML text before toml++ parses it, to limit the nesting of brackets and dotted keys. It recognizes strings and
// comments; all other errors are left to toml++, which stops at the first.
#include <fmt/format.h>

#include "data/message.h"
#include "data/value.h"

namespace salvo::data {

namespace {

constexpr int kMaxDotted = 20000;  ///< toml++ searches its list of dotted tables linearly for each one

class DepthScan {
 public:
  DepthScan(std::string_view text, const std::string& source) : text_(text), source_(source) {}

  void run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        line_start_ = false;
        skip_string(c);
        continue;
      }
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
        continue;
      }
      step(c);
      ++at_;
    }
  }

 private:
  void step(char c) {
    if (c == '\n') {
      end_line();
    } else if (c == '[' || c == '{') {
      open();
    } else if (c == ']' || c == '}') {
      close();
    } else if (c == ',') {
      dots_ = 0;
    } else if (c == '.') {
      ++dots_;
      check();
    }
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n') line_start_ = false;
  }

  void end_line() {
    if (header_) base_ = dots_ + 1;
    if (dots_ > 0 && ++dotted_ > kMaxDotted) {
      fail(source_, "", line_, fmt::format("more than {} dotted keys; a file this large is not read", kMaxDotted));
    }
    header_ = false;
    if (levels_.empty()) line_start_ = true;
    dots_ = 0;
    ++line_;
  }

  void open() {
    if (levels_.empty() && line_start_) {  // a table header: its keys count from the root
      header_ = true;
      base_ = 0;
    }
    if (header_) return;
    levels_.push_back(level_);
    level_ += 1 + dots_;
    if (dots_ > 0) ++dotted_;
    dots_ = 0;
    check();
  }

  void close() {
    if (header_ || levels_.empty()) return;
    level_ = levels_.back();
    levels_.pop_back();
    dots_ = 0;
  }

  void check() const {
    if (base_ + level_ + dots_ <= kMaxDepth) return;
    fail(source_, "", line_,
         fmt::format("more than {} levels inside each other; nest fewer tables and lists", kMaxDepth));
  }

  /// Moves at_ from the opening quote past the closing one, or to the end of the line if that is missing.
  void skip_string(char quote) {
    const std::string three(3, quote);
    const bool multiline = text_.substr(at_, 3) == three;
    at_ += multiline ? 3 : 1;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') {
        if (!multiline) return;
        ++line_;
      }
      if (c == '\\' && quote == '"') {
        if (at_ + 1 < text_.size() && text_[at_ + 1] != '\n') ++at_;
      } else if (multiline ? text_.substr(at_, 3) == three : c == quote) {
        at_ += multiline ? 3 : 1;
        for (int extra = 0; multiline && extra < 2 && at_ < text_.size() && text_[at_] == quote; ++extra) ++at_;
        return;
      }
    }
  }

  std::string_view text_;
  const std::string& source_;
  std::size_t at_ = 0;
  int line_ = 1;
  int base_ = 0;             ///< levels of the current table header
  int level_ = 0;            ///< levels of the open brackets of a value, including dotted keys in them
  int dots_ = 0;             ///< dots since the last separator
  int dotted_ = 0;           ///< dotted keys so far
  bool header_ = false;      ///< inside a table header
  bool line_start_ = true;   ///< only blanks on this line so far, and no open value
  std::vector<int> levels_;  ///< level_ before each open bracket
};

}  // namespace

void check_toml_depth(std::string_view text, const std::string& source) { DepthScan(text, source).run(); }

}  // namespace salvo::data
