#ifndef PLACARD_LIBFUZZER_H
#define PLACARD_LIBFUZZER_H

#include <stddef.h>
#include <stdint.h>

/// Runs libFuzzer with those arguments over a function; returns the exit code.
int LLVMFuzzerRunDriver(int *argumentCount, char ***arguments, int (*function)(const uint8_t *data, size_t size));

/// Returns the seconds of the processor that this thread has used.
double placard_thread_seconds(void);

/// Returns the most memory that the process has had, in bytes.
uint64_t placard_peak_memory(void);

#endif
