// What nearly every test includes, compiled once: see precompiled.h.
#pragma once

#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "precompiled.h"
