// SPDX-License-Identifier: Apache-2.0
/*
 * verify - checks a presentation of a PID, as a verifier that knows the issuer's authority alone.
 *
 *     verify [--now SECONDS] ANCHORS.pem TYPE AUDIENCE NONCE <PRESENTATION
 *
 * Reads the presentation from standard input and prints the claims as JSON. ANCHORS.pem has the
 * authorities' certificates, as the provider publishes them. The exit code is 1 if the presentation is
 * refused, with the reason on standard error, and 2 if it cannot be read. --now judges as of that time,
 * in seconds since 1970.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "verifier.h"

int main(int count, char **arguments) {
  static char presentation[256 * 1024];
  struct verifier verifier = {.now = (int64_t)time(NULL)};
  if (count == 7 && strcmp(arguments[1], "--now") == 0) {
    verifier.now = strtoll(arguments[2], NULL, 10);
    arguments += 2;
  } else if (count != 5) {
    fprintf(stderr, "usage: verify [--now SECONDS] ANCHORS.pem TYPE AUDIENCE NONCE\n");
    return 2;
  }
  verifier.anchors = arguments[1];
  verifier.type = arguments[2];
  verifier.audience = arguments[3];
  verifier.nonce = arguments[4];
  const size_t length = fread(presentation, 1, sizeof presentation - 1, stdin);
  if (ferror(stdin) || !feof(stdin)) {
    fprintf(stderr, "verify: the presentation cannot be read, or is too long\n");
    return 2;
  }
  presentation[length] = '\0';
  presentation[strcspn(presentation, "\r\n")] = '\0';
  const char *reason = NULL;
  char *claims = verifier_look_at(&verifier, presentation, &reason);
  if (claims == NULL) {
    fprintf(stderr, "verify: refused: %s\n", reason);
    return 1;
  }
  puts(claims);
  free(claims);
  return 0;
}
