/*
 * probe - the header as a library: every function, type, member and constant of it as a variable
 * of its own, so that the debugging information has, by name, everything that a host was compiled
 * against. Tests/ABI/abi_probe.sh makes the list from the header; the result is never called or
 * linked.
 */
#include <stddef.h>
#include <wallet_core.h>

/* Each value has its own enum: in a large one abidiff does not detect that two constants were swapped. */
#define FUNCTION(name) __typeof__(name) *function_##name;
#define TYPE(name) name *type_##name;
#define MEMBER(type, name)                               \
  __typeof__(((type *)0)->name) *member_##type##_##name; \
  enum offset_##type##_##name{OFFSET_##type##_##name = offsetof(type, name)} offset_##type##_##name;
#define CONSTANT(name) enum value_##name{VALUE_##name = name} value_##name;

#include "declared.inc"
