/* Shared by the test programs: a host with software keys, and the wait for a completion. */
#ifndef HOST_H
#define HOST_H

#include <wallet_core.h>

/* Options of init with that configuration and, where not NULL, a storage path. */
wallet_core_options host_options(const char *configuration_path, const char *storage_path);

/* Registers software keys that are stored in `directory`. */
wallet_core_status host_platform(char *directory);

/* host_platform() and wallet_core_init(), with errors printed. The bridge gives the storage path. */
wallet_core_status host_start(const char *configuration_path, char *directory);

/* Takes events until the completion of `request` comes; NULL after a minute. Yours to free. */
wallet_core_event *host_completion(wallet_core_client client, uint64_t request);

#endif
