// The time for which threads of a loop wait for the next loop before they sleep.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

// pacia_fit_waits sets a long time if no other program uses the processors, and otherwise a
// short time. Every operation calls it.
void pacia_fit_waits(void);

#ifdef __cplusplus
}
#endif
