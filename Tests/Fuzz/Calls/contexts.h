/* The contexts passed to the library: whether each is released once, and not used afterwards. */
#ifndef CONTEXTS_H
#define CONTEXTS_H

#include <wallet_core.h>

enum { CONTEXTS = 512 };

/* Which contexts were set at a moment. */
struct contexts_set {
  unsigned char of[CONTEXTS];
};

/* A context for a client, 0 for a bridge. NULL when there have been too many. */
void *context_new(wallet_core_client client, int has_destroy);

/* The client that a context is for. */
wallet_core_client context_client(void *context);

/* The status of the call that it was passed to. */
void context_given(void *context, wallet_core_status status);

/* Host code begins and ends. */
void context_enter(void *context);
void context_leave(void *context);

/* The destroy function. */
void context_destroy(void *context);

/* Around a detach that answers OK. */
struct contexts_set contexts_before_detach(wallet_core_client client);
void contexts_after_detach(wallet_core_client client, const struct contexts_set *before);

/* How many bridge contexts are set and not released yet, without those of the current bridges. */
int contexts_replaced_bridges(void *const *current, int count);

/* How many threads are inside host code. */
int contexts_running(void);

/* Called at the end, when nothing runs. Afterwards none of these contexts may be used. */
void contexts_check(void);
void contexts_forget(void);

#endif
