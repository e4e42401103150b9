// SPDX-License-Identifier: Apache-2.0
/* The claims of an SD-JWT, open ones and disclosed ones (RFC 9901). */
#ifndef VERIFIER_CLAIMS_H
#define VERIFIER_CLAIMS_H

#include <jansson.h>
#include <stddef.h>

/*
 * The claims that `payload` and the disclosures show: `disclosures` has these, separated by tildes, in
 * `length` bytes. To be freed with json_decref(). NULL if one belongs to no claim, is there twice, or
 * hides what must not be hidden.
 */
json_t *claims_of(const json_t *payload, const char *disclosures, size_t length);

#endif
