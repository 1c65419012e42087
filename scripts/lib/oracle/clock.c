/* A wall clock that the check sets, preloaded into the server: a file holds the time in microseconds since 1970, and
   everything that asks for the time of day reads it there. Clocks that measure durations stay real. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t *shared;

__attribute__((constructor)) static void attach(void) {
    const char *path = getenv("ORACLE_CLOCK");
    int file = path ? open(path, O_RDONLY) : -1;
    if (file < 0) return;
    void *page = mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (page != MAP_FAILED) shared = page;
}

int clock_gettime(clockid_t clock, struct timespec *result) {
    if (shared && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        int64_t now = *shared;
        result->tv_sec = now / 1000000;
        result->tv_nsec = now % 1000000 * 1000;
        return 0;
    }
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    return real ? real(clock, result) : (int)syscall(SYS_clock_gettime, clock, result);
}

int gettimeofday(struct timeval *result, void *zone) {
    struct timespec now;
    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &now)) return -1;
    result->tv_sec = now.tv_sec;
    result->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *result) {
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now)) return -1;
    if (result) *result = now.tv_sec;
    return now.tv_sec;
}

int timespec_get(struct timespec *result, int base) {
    return base == TIME_UTC && !clock_gettime(CLOCK_REALTIME, result) ? base : 0;
}
