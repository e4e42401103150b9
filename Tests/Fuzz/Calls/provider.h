/*
 * What listens where the provider was: it has none of its keys, so everything that it answers is an
 * answer that the wallet must live with.
 */
#ifndef PROVIDER_H
#define PROVIDER_H

#include <stddef.h>
#include <stdint.h>

/* Listens on a port of its own, and names it in the configuration: its new length. Once. */
size_t provider_open(uint8_t *configuration, size_t length, size_t size);

/* What it answers from now on; 0: it hangs up. */
void provider_answer(uint8_t number);

#endif
