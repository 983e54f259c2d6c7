// Whole-series numeric kernels, all of them.
//
// In: spans over columns that somebody else owns. Out: vectors. Nothing here knows Python, files or policy, nothing is
// kept between calls, so every function may run on any thread.
#pragma once

#include "bands.h"
#include "bundle.h"
#include "column_frame.h"
#include "natural.h"
#include "row_text.h"
#include "smoothing.h"
#include "thinning.h"
