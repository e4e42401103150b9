// SPDX-License-Identifier: Apache-2.0
/*
 * Finds out whether an image has a symbol at all, because "hold steady" helps only then.
 *
 * The decoder should report this too, but libzxing 1.4 hides most failures of the error correction.
 */
#ifndef SCAN_FINDER_H
#define SCAN_FINDER_H

#include "scan_image.h"

/* Whether the start or the stop pattern of PDF417 appears in several consecutive lines. */
bool shows_pdf417(const GreyImage &image);

/* Whether the three corners of a QR code are there. */
bool shows_qr_code(const GreyImage &image);

#endif
