// Headers that nearly every source file includes, precompiled. Sources still include what they use: the preset clang
// (scripts/check) builds without this file.
#pragma once

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>
