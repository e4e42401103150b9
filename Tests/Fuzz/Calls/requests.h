/* Requests and their completions: exactly one for each, with a status that its comment lists. */
#ifndef REQUESTS_H
#define REQUESTS_H

#include <wallet_core.h>

/* A request; `number` is 0 if the host did not ask for it. `answers` are those of its completion. */
void request_begun(
    const char *function, wallet_core_client client, uint64_t number, const int32_t *answers);

/* From now on requests of the client may end with CLIENT_DETACHED. */
void requests_detaching(wallet_core_client client);

void request_ended(const wallet_core_event *event, wallet_core_client client);

/* How many requests of the client have no completion yet. */
int requests_open(wallet_core_client client);

/* Called at the end, when nothing runs. */
void requests_check(void);
void requests_forget(void);

#endif
