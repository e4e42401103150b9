/*
 * Shared by benchmarks: microseconds of CPU time of the whole process, of crypto_pwhash in it, and of
 * the host's bridges. The rest is the core's own part: it includes libcurl, SQLite and all
 * signatures, and no waiting. The program's crypto_pwhash replaces libsodium's, so that its time is
 * measured and not estimated; link with -rdynamic.
 */
#ifndef COSTS_H
#define COSTS_H

#include <stdint.h>

struct costs {
  int64_t whole, derivation, bridges, own;
};

enum { COSTS_MOST = 256 };

/* Registers software keys that are timed, stored in `directory`, and calls init. 0 if that fails. */
int costs_start(const char *configuration, char *directory);

/* What comes to pass between both. */
void costs_begin(void);
struct costs costs_end(void);

/* Prints the medians of up to COSTS_MOST: "whole derivation bridges own", and `end`. */
void costs_print(const struct costs *costs, int count, char end);

#endif
