// C interface to the part of RDKit that the generator of the embedded data
// set uses. Strings handed out are freed with free().
#ifndef PACIA_CHEM_H
#define PACIA_CHEM_H

#ifdef __cplusplus
extern "C" {
#endif

// Order of the descriptors; chem.go has the same list.
enum {
  PACIA_HEAVY_ATOMS,
  PACIA_LOGP,
  PACIA_TPSA,
  PACIA_DONORS,
  PACIA_ACCEPTORS,
  PACIA_ROTATABLE,
  PACIA_RINGS,
  PACIA_AROMATIC_RINGS,
  PACIA_FRACTION_CSP3,
  PACIA_STEREOCENTRES,
  PACIA_DESCRIPTORS
};

// Version of RDKit, for example "2022.09.3"; static, not to be freed.
const char *pacia_chem_version(void);

// Compiled SMARTS pattern, or NULL where it does not parse. It lives until
// the process ends.
void *pacia_chem_pattern(const char *smarts);

// Describes one molecule: its canonical SMILES, PACIA_DESCRIPTORS values and
// the number of unique matches of each of n patterns. Returns NULL, or a
// message that says why RDKit refuses the molecule; then *canonical is NULL.
char *pacia_chem_describe(const char *smiles, void *const *patterns, int n,
                          char **canonical, double *values, int *matches);

#ifdef __cplusplus
}
#endif
#endif
