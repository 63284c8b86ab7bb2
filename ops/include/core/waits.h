// How long threads of a loop wait for the next one before they sleep.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

// pacia_fit_waits makes that long where the processors are ours, and short where
// others also compute. It is called at every operation.
void pacia_fit_waits(void);

#ifdef __cplusplus
}
#endif
