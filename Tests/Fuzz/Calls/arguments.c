#include "arguments.h"

#include <ctype.h>
#include <string.h>

#define COUNT(pool) (sizeof(pool) / sizeof *(pool))
#define OF(pool, number) ((pool)[(number) % COUNT(pool)])

const char arguments_pin[] = "405162";
static const char other_pin[] = "271828";

static char many[4200];

static const char *too_long(size_t length) {
  if (many[0] == 0) memset(many, 'x', sizeof many - 1);
  return many + sizeof many - 1 - length;
}

const char *text_argument(uint8_t number) {
  static const char *const texts[] = {
      "pid",
      "family_name",
      "birth_date",
      "app",
      "1.4.2",
      NULL,
      "",
      "n\xC3\xA4me \xF0\x9F\x94\x92",
      "\xC3\x28",
      "\xED\xA0\x80",
      "a\x01\x7F",
      "\xF8",
      "%s%n",
      "\"}{\\",
      "../nowhere/",
      "999.1.x"};
  size_t drawn = number % (COUNT(texts) + 3);
  static const size_t lengths[] = {64, 65, 513};
  return drawn < COUNT(texts) ? texts[drawn] : too_long(lengths[drawn - COUNT(texts)]);
}

const char *link_argument(uint8_t number) {
  static const char *const links[] = {
      NULL,
      "https://localhost/b#v=1&n=AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
      "https://id.example.org/b#v=1&n=AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8&m=qr",
      "https://id.example.org/b#v=2&n=AAEC&x=1788264000",
      "",
      "https://",
      "javascript:0",
      "\xFF\xFE"};
  size_t drawn = number % (COUNT(links) + 2);
  return drawn < COUNT(links) ? links[drawn] : too_long(2048 + drawn - COUNT(links));
}

struct bytes pin_argument(uint8_t number) {
  const uint8_t *right = (const uint8_t *)arguments_pin, *other = (const uint8_t *)other_pin;
  const uint8_t *long_one = (const uint8_t *)too_long(64);
  const struct bytes pins[] = {
      {right, 6},
      {other, 6},
      {right, 6},
      {(const uint8_t *)"123456", 6},
      {(const uint8_t *)"777777", 6},
      {(const uint8_t *)"12\0\xFF"
                        "5a",
       6},
      {right, 5},
      {right, 0},
      {NULL, 0},
      {NULL, 6},
      {long_one, 64},
      {long_one, 65},
      {right, SIZE_MAX},
      {right, SIZE_MAX / 2 + 1}};
  return OF(pins, number);
}

struct bytes scan_argument(uint8_t number) {
  static const char licence[] =
      "@\n\x1e\rANSI 636045100002DL00410136ZW01770008DLDAQ123456789\nDCSDOE\nDDEN\nDACJOHN\nDDFN\n"
      "DADNONE\nDDGN\nDCAC\nDCBNONE\nDCDNONE\nDBD01012020\nDBB01011980\nDBA01012030\nDBC1\nDAU070 "
      "in\n\r";
  const char *link = link_argument(1);
  const uint8_t *long_one = (const uint8_t *)too_long(4097);
  const struct bytes scans[] = {
      {(const uint8_t *)link, strlen(link)},
      {(const uint8_t *)licence, sizeof licence - 1},
      {(const uint8_t *)"\0\x01\xFF", 3},
      {long_one, 4096},
      {long_one, 4097},
      {NULL, 3},
      {long_one, 0},
      {long_one, SIZE_MAX}};
  return OF(scans, number);
}

struct bytes reply_argument(uint8_t number) {
  static const uint8_t bytes[70000] = {1};
  /* A SubjectPublicKeyInfo of P-256 whose point is not on the curve, and an ECDSA signature of 1, 1. */
  static const uint8_t p256[91] = {0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48,
                                   0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48,
                                   0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04};
  static const uint8_t ecdsa[8] = {0x30, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01};
  static const uint8_t ed25519[44] = {0x30, 0x2A, 0x30, 0x05, 0x06, 0x03,
                                      0x2B, 0x65, 0x70, 0x03, 0x21, 0x00};
  static const struct bytes replies[] = {
      {NULL, 0},
      {bytes, 1},
      {bytes + 1, 1},
      {bytes, 32},
      {bytes, 64},
      {ed25519, sizeof ed25519},
      {p256, sizeof p256},
      {ecdsa, sizeof ecdsa},
      {(const uint8_t *)"/nowhere/at/all", 15},
      {(const uint8_t *)"relative\0", 9},
      {bytes, 4096},
      {bytes, sizeof bytes},
      {NULL, 8},
      {bytes, (1 << 20) + 1},
      {bytes, SIZE_MAX}};
  return OF(replies, number);
}

int32_t reply_status_argument(uint8_t number) {
  static const int32_t statuses[] = {0,     1,     2,     3, 4,  5,   6,     7,         8,
                                     -1000, -1500, -1999, 9, -1, -14, -2000, INT32_MIN, INT32_MAX};
  return OF(statuses, number);
}

int32_t small_argument(uint8_t number) {
  static const int32_t others[] = {-1, 100, INT32_MIN, INT32_MAX};
  return number % 8 < 4 ? number % 8 : OF(others, number);
}

uint64_t id_argument(uint8_t number) {
  static const uint64_t ids[] = {0, 1, 2, UINT64_MAX, UINT64_MAX / 2, 1ull << 32};
  return OF(ids, number);
}

int64_t timeout_argument(uint8_t number) {
  static const int64_t timeouts[] = {0, -1, 1, 0, 60000, INT64_MAX, -2, INT64_MIN};
  return OF(timeouts, number);
}

int64_t clock_argument(uint8_t number) {
  static const int64_t moves[] = {1, 1000, 11000, 30000, 240000, 300000, 3600000, 86400000, -1000};
  return OF(moves, number);
}

int64_t calendar_argument(uint8_t number) {
  static const int64_t moves[] = {3600, 86400, 100 * 86400, 20ll * 365 * 86400, -86400};
  return OF(moves, number);
}

int tells_pin(const char *text) {
  const char *const pins[] = {arguments_pin, other_pin};
  for (size_t i = 0; i < COUNT(pins); i++) {
    for (const char *at = text; (at = strstr(at, pins[i])) != NULL; at += 1) {
      int follows = at > text && isdigit((unsigned char)at[-1]);
      if (!follows && !isdigit((unsigned char)at[6])) return 1;
    }
  }
  return 0;
}
