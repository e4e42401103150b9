#include "contexts.h"

#include <stdatomic.h>
#include <string.h>

#include "checks.h"

enum state { UNUSED, GIVING, SET, FAILED };

struct context {
  wallet_core_client client;
  int has_destroy;
  atomic_int state, entered, running, destroyed;
  /* Its client was detached: never again. */
  atomic_int is_over, was_detached;
};

static struct context contexts[CONTEXTS];
static atomic_size_t count;
static atomic_int running;
/* Distinguishes the contexts of one input from those of the next. */
static atomic_uintptr_t generation = 1;

static struct context *of(void *pointer) {
  uintptr_t number = (uintptr_t)pointer;
  if (number / CONTEXTS != atomic_load(&generation)) {
    check_failed("a context is used after the process was reset");
  }
  return &contexts[number % CONTEXTS];
}

void *context_new(wallet_core_client client, int has_destroy) {
  size_t place = atomic_fetch_add(&count, 1);
  if (place >= CONTEXTS) return NULL;
  contexts[place].client = client;
  contexts[place].has_destroy = has_destroy;
  atomic_store(&contexts[place].state, GIVING);
  return (void *)(atomic_load(&generation) * CONTEXTS + place);
}

wallet_core_client context_client(void *pointer) {
  return of(pointer)->client;
}

void context_given(void *pointer, wallet_core_status status) {
  atomic_store(&of(pointer)->state, status == WALLET_CORE_OK ? SET : FAILED);
}

void context_enter(void *pointer) {
  struct context *context = of(pointer);
  atomic_fetch_add(&running, 1);
  atomic_fetch_add(&context->running, 1);
  atomic_store(&context->entered, 1);
  if (atomic_load(&context->destroyed)) check_failed("a context is used after its release");
  if (atomic_load(&context->is_over)) check_failed("a callback after detach returned");
}

void context_leave(void *pointer) {
  struct context *context = of(pointer);
  if (atomic_load(&context->destroyed)) check_failed("a context is released while it is used");
  atomic_fetch_sub(&context->running, 1);
  atomic_fetch_sub(&running, 1);
}

void context_destroy(void *pointer) {
  struct context *context = of(pointer);
  if (!context->has_destroy) check_failed("a context without a destroy function is released");
  if (atomic_load(&context->is_over)) check_failed("a release after detach returned");
  if (atomic_fetch_add(&context->destroyed, 1) != 0) check_failed("a context is released twice");
}

static size_t used(void) {
  size_t all = atomic_load(&count);
  return all < CONTEXTS ? all : CONTEXTS;
}

struct contexts_set contexts_before_detach(wallet_core_client client) {
  struct contexts_set before;
  memset(&before, 0, sizeof before);
  for (size_t i = 0; i < used(); i++) {
    /* The state is read first: only then the client is there. */
    before.of[i] = atomic_load(&contexts[i].state) == SET && contexts[i].client == client;
  }
  return before;
}

void contexts_after_detach(wallet_core_client client, const struct contexts_set *before) {
  for (size_t i = 0; i < used(); i++) {
    struct context *context = &contexts[i];
    if (atomic_load(&context->state) == UNUSED || context->client != client) continue;
    atomic_store(&context->was_detached, 1);
    if (!before->of[i]) continue;
    atomic_store(&context->is_over, 1);
    if (atomic_load(&context->destroyed) != context->has_destroy) {
      check_failed("detach returned with a context that is not released");
    }
    if (atomic_load(&context->running)) check_failed("detach returned while a callback runs");
  }
}

int contexts_replaced_bridges(void *const *current, int current_count) {
  int left = 0;
  for (size_t i = 0; i < used(); i++) {
    const struct context *context = &contexts[i];
    int is_current = 0;
    for (int j = 0; j < current_count; j++) {
      is_current |= current[j] != NULL && of(current[j]) == context;
    }
    left += !is_current && context->client == 0 && context->has_destroy &&
            atomic_load(&context->state) == SET && atomic_load(&context->destroyed) == 0;
  }
  return left;
}

int contexts_running(void) {
  return atomic_load(&running);
}

void contexts_check(void) {
  for (size_t i = 0; i < used(); i++) {
    const struct context *context = &contexts[i];
    int destroyed = atomic_load(&context->destroyed);
    if (atomic_load(&context->state) == FAILED && (destroyed || atomic_load(&context->entered))) {
      check_failed("a context is used although it was refused");
    }
    if (atomic_load(&context->state) == SET && atomic_load(&context->was_detached) &&
        destroyed != context->has_destroy) {
      check_failed("a context of a detached client is not released");
    }
  }
}

void contexts_forget(void) {
  atomic_fetch_add(&generation, 1);
  memset(contexts, 0, sizeof contexts);
  atomic_store(&count, 0);
}
