// Means over the atoms of molecules (ops/readout/segment.hh).
//
// Legend: A atoms, n molecules, m selected molecules, d width.

// segment_mean: y [m, d], the means over the atoms of the molecules which[k]; one block for
// each molecule.
KERNEL segment_mean(const real *h, const int32_t *ptr, const int32_t *which, real *y, int d) {
  const int k = blockIdx.x, first = ptr[which[k]], last = ptr[which[k] + 1];
  for (int i = threadIdx.x; i < d; i += blockDim.x) {
    real sum = 0;
    for (int r = first; r < last; r++) sum += h[int64_t(r) * d + i];
    y[int64_t(k) * d + i] = sum / real(last - first);
  }
}

// segment_mean_back: dh [A, d], 0 for atoms of molecules that are not selected. The selected
// molecules are in ascending order. One block for each atom.
KERNEL segment_mean_back(const real *dy, const int32_t *ptr, const int32_t *which, real *dh, int n,
                         int m, int d) {
  const int r = blockIdx.x, molecule = interval(ptr, n, r);
  int low = 0, high = m;  // to the first k with which[k] ≥ molecule
  while (low < high) {
    const int middle = (low + high) / 2;
    if (which[middle] < molecule)
      low = middle + 1;
    else
      high = middle;
  }
  const real atoms = molecule < n ? real(ptr[molecule + 1] - ptr[molecule]) : real(1);
  for (int i = threadIdx.x; i < d; i += blockDim.x) {
    real sum = 0;
    for (int k = low; k < m && which[k] == molecule; k++) sum += dy[int64_t(k) * d + i] / atoms;
    dh[int64_t(r) * d + i] = sum;
  }
}
