// SPDX-License-Identifier: Apache-2.0
/*
 * The scanner of the phone's camera: finds QR codes and PDF417 symbols in an image file.
 *
 * Real phones hand over what their own decoder found, as bytes with the symbology. This does the same
 * with libzxing and a PNG file.
 */
#ifndef SCAN_H
#define SCAN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* More than any QR code (2953) or PDF417 symbol (1850) holds. */
enum { SCAN_BYTES = 4096, SCAN_REASON_BYTES = 160 };

enum scan_outcome {
  SCAN_DECODED,
  SCAN_UNREADABLE, /* a symbol is there, but its error correction failed */
  SCAN_NOTHING,
  SCAN_FAILED /* there is no image, or it is too large; `reason` says so */
};

struct scan {
  int32_t symbology;  /* WALLET_CORE_SYMBOLOGY_... */
  const char *format; /* its name, e.g. "PDF417" */
  int degrees;        /* how far the image had to be turned, clockwise */
  uint8_t bytes[SCAN_BYTES];
  size_t length;
  char reason[SCAN_REASON_BYTES];
};

/*
 * Looks for a symbol in a PNG file of up to 50 million pixels, no side longer than 16384. If the image
 * has several, one of the symbology `wanted` (WALLET_CORE_SYMBOLOGY_...) comes first; another one is
 * found too, as a camera would. If the wanted one is not read, the image is turned by up to 10 degrees
 * either way.
 *
 * Fills in the bytes of `scan` for SCAN_DECODED, the reason for SCAN_FAILED. They may be a licence:
 * wipe them with scan_wipe().
 */
enum scan_outcome scan_image(const char *path, int32_t wanted, struct scan *scan);

/* Overwrites everything that was read. */
void scan_wipe(struct scan *scan);

#ifdef __cplusplus
}
#endif

#endif
