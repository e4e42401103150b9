// SPDX-License-Identifier: Apache-2.0
/*
 * A verifier: checks a presentation of a PID and reads its claims (RFC 9901, SD-JWT VC, Token Status
 * List). It trusts the issuer's anchor and nothing else: the chain in the credential leads there, and so
 * does the one in the status list.
 *
 * It stands for somebody else's program: it has no code in common with wallet_core.
 */
#ifndef VERIFIER_H
#define VERIFIER_H

#include <stdint.h>

struct verifier {
  const char *anchors;  /* a PEM file with the certificates of the authorities that it trusts */
  const char *type;     /* the `vct` that it accepts */
  const char *audience; /* its own name, as the wallet was told */
  const char *nonce;    /* what it gave to the wallet; to be accepted once, by the caller */
  int64_t now;          /* seconds since 1970 */
};

enum { VERIFIER_NONCE_BYTES = 33 };

/* Makes a nonce for one question. Returns 0, or -1 if there are no random numbers. */
int verifier_make_nonce(char nonce[VERIFIER_NONCE_BYTES]);

/*
 * Returns the claims that the holder shows, as JSON to be freed with free(). Returns NULL if the
 * presentation is refused, with the reason, a constant. Fetches the status list with libcurl.
 */
char *verifier_look_at(
    const struct verifier *verifier, const char *presentation, const char **reason);

#endif
