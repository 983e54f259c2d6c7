// Includes all numeric kernels.
//
// Input: spans over columns that the caller owns. Output: vectors. The kernels do not use Python or files and keep no
// state between calls, so every function may run on any thread.
#pragma once

#include "kernels/bands.h"
#include "kernels/bundle.h"
#include "kernels/column_frame.h"
#include "kernels/fit.h"
#include "kernels/natural.h"
#include "kernels/row_text.h"
#include "kernels/smoothing.h"
#include "kernels/thinning.h"
