// Whole-series numeric kernels, all of them.
//
// In: spans over columns that somebody else owns. Out: vectors. Nothing here knows Python, files or policy, nothing is
// kept between calls, so every function may run on any thread.
#pragma once

#include "kernels/bands.h"
#include "kernels/bundle.h"
#include "kernels/column_frame.h"
#include "kernels/natural.h"
#include "kernels/row_text.h"
#include "kernels/smoothing.h"
#include "kernels/thinning.h"
