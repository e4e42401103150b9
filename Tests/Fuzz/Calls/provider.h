/*
 * A server at the provider's address, without its keys: the wallet must handle every answer it
 * sends.
 */
#ifndef PROVIDER_H
#define PROVIDER_H

#include <stddef.h>
#include <stdint.h>

/* Listens on its own port, and puts the port into the configuration; returns the new length. To be called once. */
size_t provider_open(uint8_t *configuration, size_t length, size_t size);

/* Which answer it sends from now on; 0: it closes the connection. */
void provider_answer(uint8_t number);

#endif
