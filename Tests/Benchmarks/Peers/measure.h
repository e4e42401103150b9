/* Shared by the benchmarks: a clock, medians, and lines that report.py reads. */
#ifndef MEASURE_H
#define MEASURE_H

#include <stddef.h>
#include <stdint.h>

/* Nanoseconds on a clock that only moves forward. */
int64_t measure_now(void);

/* The middle of the values, and the one that `share` of them do not exceed. Both sort. */
double measure_median(double *values, size_t count);
double measure_quantile(double *values, size_t count, double share);

/* Prints one line: the measure, the subject and the value. */
void measure_print(const char *measure, const char *subject, double value);

/* A function of a library; ends the program if it does not exist. */
typedef void measure_function(void);
measure_function *measure_symbol(void *library, const char *name);

/* A library by its path; ends the program if it cannot be loaded. */
void *measure_load(const char *path);

/* Bytes that this process has in memory: "VmRSS" all, "RssAnon" those that no file holds. */
int64_t measure_resident(const char *kind);

/* Prints the reason and ends the program. */
_Noreturn void measure_fail(const char *what);

#endif
