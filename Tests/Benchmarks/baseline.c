/* The baseline of calls: a call with an atomic load, and a call that does nothing. */
#include <stdatomic.h>
#include <stdint.h>

static _Atomic int32_t state;

int32_t baseline_is_initialized(void);
int32_t baseline_nothing(void);

int32_t baseline_is_initialized(void) {
  return atomic_load_explicit(&state, memory_order_acquire);
}

int32_t baseline_nothing(void) {
  return 0;
}
