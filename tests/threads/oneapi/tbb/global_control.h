// Stands in for the header of this name in TBB (stand_in.h).
#pragma once
#include "stand_in.h"
