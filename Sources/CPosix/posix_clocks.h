/* The clocks of the system. Each function returns 0 if its clock cannot be read. */
#ifndef WALLET_POSIX_CLOCKS_H
#define WALLET_POSIX_CLOCKS_H

#include <stdint.h>
#include <time.h>

/* Milliseconds since an arbitrary start. Nobody can set this clock, and it runs while the device sleeps. */
static inline int64_t wallet_clock_boot_milliseconds(void) {
#if defined(__APPLE__)
  /* On Apple's systems CLOCK_MONOTONIC includes the time that the device sleeps. */
  const clockid_t clock = CLOCK_MONOTONIC;
#else
  const clockid_t clock = CLOCK_BOOTTIME;
#endif
  struct timespec time;
  if (clock_gettime(clock, &time) != 0) return 0;
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* Microseconds since an arbitrary start. Nobody can set this clock. */
static inline int64_t wallet_clock_monotonic_microseconds(void) {
  struct timespec time;
  if (clock_gettime(CLOCK_MONOTONIC, &time) != 0) return 0;
  return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

/* Milliseconds since 1970 by the calendar, which the user can set to any date; never negative. */
static inline int64_t wallet_clock_calendar_milliseconds(void) {
  struct timespec time;
  if (clock_gettime(CLOCK_REALTIME, &time) != 0 || time.tv_sec < 0) return 0;
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* Seconds since 1970 by the calendar, which the user can set to any date. */
static inline int64_t wallet_clock_calendar_seconds(void) {
  return (int64_t)time(NULL);
}

#endif
