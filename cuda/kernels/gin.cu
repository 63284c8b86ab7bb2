// The parts of a GIN layer (Eq. 14 of the paper) besides its two products: sums over
// neighbours, and the gradients of embedding tables.
//
// Legend: A atoms, E bonds, d width, T rows of a table.

// chirality_of returns unspecified for a chirality without a row in the table.
DEVICE int chirality_of(const uint8_t *atoms, int v, int chiralities) {
  const int c = atoms[2 * v + 1];
  return c < chiralities ? c : 0;
}

// embed: h [A, d], the sum of an atom's embeddings; one block for each atom.
KERNEL embed(const uint8_t *atoms, const real *numbers, const real *chirality, int chiralities,
             real *h, int d) {
  const int v = blockIdx.x;
  const real *x = numbers + int64_t(atoms[2 * v]) * d;
  const real *c = chirality + int64_t(chirality_of(atoms, v, chiralities)) * d;
  for (int i = threadIdx.x; i < d; i += blockDim.x) h[int64_t(v) * d + i] = x[i] + c[i];
}

// embed_back: part [chunks, T + chiralities, d], the gradients of both tables from kTableChunk
// atoms each. A block of 32 threads processes 32 columns of a chunk.
KERNEL embed_back(const uint8_t *atoms, const real *dh, real *part, int A, int d, int T,
                  int chiralities) {
  SHARED(real, sum, [kAtomRows][kTile]);
  const int x = threadIdx.x, column = blockIdx.x * kTile + x, rows = T + chiralities;
  for (int t = 0; t < rows; t++) sum[t][x] = 0;
  const int first = blockIdx.y * kTableChunk, last = first + kTableChunk < A ? first + kTableChunk : A;
  if (column >= d) return;
  for (int v = first; v < last; v++) {
    const real g = dh[int64_t(v) * d + column];
    sum[atoms[2 * v]][x] += g;
    sum[T + chirality_of(atoms, v, chiralities)][x] += g;
  }
  for (int t = 0; t < rows; t++) part[(int64_t(blockIdx.y) * rows + t) * d + column] = sum[t][x];
}

// neighbours: m [A, d], the sum of each atom's state and those of its neighbours. If e1 [6, d]
// and e2 [3, d] are given, it includes the embeddings of its bonds and of its self loop.
// Without them, the kernel is its own backward pass, because both directions of a bond are the
// same. One block for each atom.
KERNEL neighbours(const real *h, const int32_t *rowptr, const int32_t *col, const uint8_t *code,
                  const real *e1, const real *e2, real *m, int d) {
  const int v = blockIdx.x, first = rowptr[v], last = rowptr[v + 1];
  for (int i = threadIdx.x; i < d; i += blockDim.x) {
    real sum = h[int64_t(v) * d + i];
    if (e1) sum += e1[kSelfType * d + i] + e2[i];
    for (int k = first; k < last; k++) {
      sum += h[int64_t(col[k]) * d + i];
      if (e1) sum += e1[code[k] / kBondDirections * d + i] + e2[code[k] % kBondDirections * d + i];
    }
    m[int64_t(v) * d + i] = sum;
  }
}

// bonds_back: part [chunks, 9, d], the gradients of e1 and e2 from the bonds of kTableChunk
// atoms each. A block of 32 threads processes 32 columns of a chunk.
KERNEL bonds_back(const int32_t *rowptr, const uint8_t *code, const real *dm, real *part, int A,
                  int d) {
  SHARED(real, sum, [kBondRows][kTile]);
  const int x = threadIdx.x, column = blockIdx.x * kTile + x;
  if (column >= d) return;
  for (int t = 0; t < kBondRows; t++) sum[t][x] = 0;
  const int first = blockIdx.y * kTableChunk, last = first + kTableChunk < A ? first + kTableChunk : A;
  for (int v = first; v < last; v++) {
    const real g = dm[int64_t(v) * d + column];
    sum[kSelfType][x] += g;
    sum[kBondTypes][x] += g;
    for (int k = rowptr[v]; k < rowptr[v + 1]; k++) {
      sum[code[k] / kBondDirections][x] += g;
      sum[kBondTypes + code[k] % kBondDirections][x] += g;
    }
  }
  for (int t = 0; t < kBondRows; t++)
    part[(int64_t(blockIdx.y) * kBondRows + t) * d + column] = sum[t][x];
}
