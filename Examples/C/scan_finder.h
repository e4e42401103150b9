// SPDX-License-Identifier: Apache-2.0
/*
 * Whether a symbol is there at all, read or not: "hold steady" helps only then.
 *
 * The decoder is to say it too, but libzxing 1.4 keeps most failures of the error correction to itself.
 */
#ifndef SCAN_FINDER_H
#define SCAN_FINDER_H

#include "scan_image.h"

/* The start or the stop pattern of PDF417 stands in several lines one above the other. */
bool shows_pdf417(const GreyImage &image);

/* The three corners of a QR code are there. */
bool shows_qr_code(const GreyImage &image);

#endif
