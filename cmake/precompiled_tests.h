// Headers that nearly every test includes, precompiled.
#pragma once

#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "precompiled.h"
