// See doc.go.
#ifndef PACIA_ATENCALLS_RECORD_H
#define PACIA_ATENCALLS_RECORD_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

void pacia_record_begin(void);

// pacia_record_end returns the names of the operators in the order of their calls, each
// followed by a space. The caller frees the string. *kept is set to the bytes allocated minus
// those freed.
char *pacia_record_end(int64_t *kept);

#ifdef __cplusplus
}
#endif
#endif
