// Rows of d numbers: x·y, and sums of rows and of weighted rows.
#pragma once

#include <cstdint>

namespace pacia {

// add is y += x.
void add(float *y, const float *x, int64_t d);
void add(double *y, const double *x, int64_t d);

// axpy is y += a·x.
void axpy(float *y, const float *x, float a, int64_t d);
void axpy(double *y, const double *x, double a, int64_t d);

// dot is x·y.
float dot(const float *x, const float *y, int64_t d);
double dot(const double *x, const double *y, int64_t d);

// weighted_rows is y = Σ_k a_k b_k x_k over the n rows of x [n, d].
void weighted_rows(const float *x, const float *a, const float *b, int64_t n, int64_t d, float *y);
void weighted_rows(const double *x, const double *a, const double *b, int64_t n, int64_t d,
                   double *y);

}  // namespace pacia
