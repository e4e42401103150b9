/* The arguments that the small numbers of a program stand for: good ones first, then bad ones. */
#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#include <stddef.h>
#include <stdint.h>

/* The PIN of that wallet. */
extern const char arguments_pin[];

struct bytes {
  const uint8_t *start;
  size_t length;
};

const char *text_argument(uint8_t number);
const char *link_argument(uint8_t number);
struct bytes pin_argument(uint8_t number);
struct bytes scan_argument(uint8_t number);
struct bytes reply_argument(uint8_t number);
int32_t reply_status_argument(uint8_t number);
int32_t small_argument(uint8_t number);
uint64_t id_argument(uint8_t number);
int64_t timeout_argument(uint8_t number);
int64_t clock_argument(uint8_t number);
int64_t calendar_argument(uint8_t number);

/* Whether a text contains one of the PINs, other than as a part of a longer number. */
int tells_pin(const char *text);

#endif
