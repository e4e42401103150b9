// SPDX-License-Identifier: Apache-2.0
#include "http_address.h"

#include <netinet/in.h>
#include <string.h>

/* The addresses that begin with the first `bits` bits of `start`. */
typedef struct block {
  uint8_t start[4];
  int bits;
} block;

/* Those of IPv4 that are not of the public internet, by IANA's registry of special addresses. */
static const block special[] = {
    {{0}, 8},
    {{10}, 8},
    {{100, 64}, 10},
    {{127}, 8},
    {{169, 254}, 16},
    {{172, 16}, 12},
    {{192, 0, 0}, 24},
    {{192, 0, 2}, 24},
    {{192, 88, 99}, 24},
    {{192, 168}, 16},
    {{198, 18}, 15},
    {{198, 51, 100}, 24},
    {{203, 0, 113}, 24},
    {{224}, 3},
};

static int is_in(const uint8_t *address, const uint8_t *start, int bits) {
  int whole = bits / 8, rest = bits % 8;
  if (memcmp(address, start, (size_t)whole) != 0) return 0;
  return rest == 0 || ((address[whole] ^ start[whole]) & (0xFF << (8 - rest)) & 0xFF) == 0;
}

static int is_public4(const uint8_t *address) {
  for (size_t i = 0; i < sizeof special / sizeof *special; i++) {
    if (is_in(address, special[i].start, special[i].bits)) return 0;
  }
  return 1;
}

/* The IPv4 address in one of IPv6 that is mapped, translated (RFC 6052) or of 6to4; NULL if there is
 * none. */
static const uint8_t *inner(const uint8_t *address) {
  static const uint8_t mapped[12] = {[10] = 0xFF, [11] = 0xFF};
  static const uint8_t translated[12] = {0x00, 0x64, 0xFF, 0x9B};
  static const uint8_t six_to_four[2] = {0x20, 0x02};
  if (is_in(address, mapped, 96) || is_in(address, translated, 96)) return address + 12;
  return is_in(address, six_to_four, 16) ? address + 2 : NULL;
}

static int is_public6(const uint8_t *address) {
  static const uint8_t global[1] = {0x20};
  static const uint8_t protocols[3] = {0x20, 0x01, 0x00};
  static const uint8_t documentation[4] = {0x20, 0x01, 0x0D, 0xB8};
  static const uint8_t more_documentation[3] = {0x3F, 0xFF, 0x00};
  if (inner(address) != NULL) return is_public4(inner(address));
  return is_in(address, global, 3) && !is_in(address, protocols, 23) &&
         !is_in(address, documentation, 32) && !is_in(address, more_documentation, 20);
}

static int is_loopback6(const uint8_t *address) {
  static const uint8_t loopback[16] = {[15] = 1};
  return inner(address) != NULL ? inner(address)[0] == 127 : is_in(address, loopback, 128);
}

int http_address_is_allowed(const struct sockaddr *address, wallet_core_http_reach reach) {
  int is_loopback, is_public;
  if (reach == WALLET_CORE_HTTP_REACH_ANY) return 1;
  if (address->sa_family == AF_INET) {
    const struct sockaddr_in *it = (const struct sockaddr_in *)(const void *)address;
    const uint8_t *bytes = (const uint8_t *)&it->sin_addr;
    is_loopback = bytes[0] == 127;
    is_public = is_public4(bytes);
  } else if (address->sa_family == AF_INET6) {
    const struct sockaddr_in6 *it = (const struct sockaddr_in6 *)(const void *)address;
    is_loopback = is_loopback6(it->sin6_addr.s6_addr);
    is_public = is_public6(it->sin6_addr.s6_addr);
  } else {
    return 0;
  }
  return is_public || (is_loopback && reach == WALLET_CORE_HTTP_REACH_PUBLIC_OR_LOOPBACK);
}
