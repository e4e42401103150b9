/*
 * What listens where the provider was: it has none of its keys, so everything that it answers is an
 * answer that the wallet must live with. One fuzzer at a time has the port; others find it closed.
 */
#ifndef PROVIDER_H
#define PROVIDER_H

#include <stddef.h>
#include <stdint.h>

/* Listens on the port that the configuration names. Once. */
void provider_open(const uint8_t *configuration, size_t length);

/* What it answers from now on; 0: it hangs up. */
void provider_answer(uint8_t number);

#endif
