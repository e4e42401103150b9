/*
 * A server at the provider's address, without its keys: the wallet must handle every answer it
 * sends. It can forward to a real provider, whose port on this machine is in
 * WALLET_CORE_FUZZ_PROVIDER.
 */
#ifndef PROVIDER_H
#define PROVIDER_H

#include <stddef.h>
#include <stdint.h>

/* Listens on its own port, and puts the port into the configuration; returns the new length. To be called once. */
size_t provider_open(uint8_t *configuration, size_t length, size_t size);

/* Which answer it sends from now on; 0: it closes the connection. */
void provider_answer(uint8_t number);

/* Whether there is a real provider. */
int provider_is_real(void);

/* Whether it forwards to the real provider, if there is one, instead of answering. */
void provider_relay(int is_on);

#endif
