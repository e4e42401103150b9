// SPDX-License-Identifier: Apache-2.0
/*
 * scan - prints what a camera would read in an image.
 *
 *     scan [--licence] [--raw] IMAGE.png
 *
 * Prints the symbology, how far the image had to be turned and the content, with control characters as
 * \n or \x1e; with --raw only the bytes themselves. --licence prefers PDF417 to a QR code if an image
 * has both. The exit code is 0 if something was read, 1 for a symbol that cannot be read, 2 if there is
 * no symbol, 3 if there is no image.
 */
#include <stdio.h>
#include <string.h>
#include <wallet_core.h>

#include "scan.h"

static void print_content(const struct scan *scan) {
  for (size_t i = 0; i < scan->length; i++) {
    const unsigned byte = scan->bytes[i];
    if (byte == '\n') {
      fputs("\\n", stdout);
    } else if (byte == '\\') {
      fputs("\\\\", stdout);
    } else if (byte < 0x20 || byte > 0x7E) {
      printf("\\x%02x", byte);
    } else {
      putchar((int)byte);
    }
  }
  putchar('\n');
}

static void print_scan(const struct scan *scan, int is_raw) {
  if (is_raw) {
    fwrite(scan->bytes, 1, scan->length, stdout);
  } else {
    printf("%s, %zu bytes, turned by %d degrees\n", scan->format, scan->length, scan->degrees);
    print_content(scan);
  }
}

int main(int count, char **arguments) {
  int32_t wanted = WALLET_CORE_SYMBOLOGY_QR_CODE;
  int is_raw = 0, next = 1;
  for (; next < count && strncmp(arguments[next], "--", 2) == 0; next++) {
    if (strcmp(arguments[next], "--licence") == 0) {
      wanted = WALLET_CORE_SYMBOLOGY_PDF417;
    } else if (strcmp(arguments[next], "--raw") == 0) {
      is_raw = 1;
    } else {
      break;
    }
  }
  if (count - next != 1) {
    fprintf(stderr, "usage: scan [--licence] [--raw] IMAGE.png\n");
    return 4;
  }
  static struct scan scan;
  const enum scan_outcome outcome = scan_image(arguments[next], wanted, &scan);
  switch (outcome) {
    case SCAN_DECODED:
      print_scan(&scan, is_raw);
      break;
    case SCAN_UNREADABLE:
      fprintf(stderr, "scan: a symbol is there, but it cannot be read\n");
      break;
    case SCAN_NOTHING:
      fprintf(stderr, "scan: there is no symbol\n");
      break;
    case SCAN_FAILED:
      fprintf(stderr, "scan: %s: %s\n", arguments[next], scan.reason);
      break;
  }
  scan_wipe(&scan);
  return (int)outcome;
}
