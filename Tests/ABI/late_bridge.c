/*
 * A host without libcurl whose HTTP bridge comes after init: the library asks the provider by it at
 * once. Its clock stands, so that no pause after a failure ends by itself.
 */
#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>

#include "check.h"
#include "host.h"
#include "process.h"
#include "wallet_core_testing.h"

/* In place of the system's: this machine has no libcurl. */
void *dlopen(const char *file, int mode) {
  void *(*opened)(const char *, int) = NULL;
  *(void **)&opened = dlsym(RTLD_NEXT, "dlopen");
  return file != NULL && strstr(file, "libcurl") != NULL ? NULL : opened(file, mode);
}

static atomic_int policies;

/* Notes the request and fails it. */
static void on_send(void *context, uint64_t call, const wallet_core_http_request *request) {
  (void)context;
  if (strstr(request->url, "/update-policy") != NULL) {
    policies++;
  }
  const wallet_core_http_response response = {
      .struct_size = sizeof response, .outcome = WALLET_CORE_HTTP_NOT_CONNECTED};
  (void)wallet_core_http_reply(call, &response);
}

static void on_cancel(void *context, uint64_t call) {
  (void)context;
  (void)call;
}

static wallet_core_status refresh(wallet_core_client client) {
  uint64_t request = 0;
  const wallet_core_status begun = wallet_core_refresh(client, &request, NULL);
  if (begun != WALLET_CORE_OK) {
    return begun;
  }
  wallet_core_event *event = host_completion(client, request);
  const wallet_core_status status =
      event != NULL ? wallet_core_event_status(event) : WALLET_CORE_ERROR_TIMEOUT;
  wallet_core_event_free(event);
  return status;
}

int main(int count, char **arguments) {
  wallet_core_client client = 0;
  if (count != 3) {
    return 2;
  }
  wallet_core_testing_stop_clock();
  CHECK("a host without libcurl starts", host_start(arguments[1], arguments[2]) == WALLET_CORE_OK);
  CHECK("and attaches", wallet_core_client_attach("app", 0, &client, NULL) == WALLET_CORE_OK);
  CHECK("what is missing is told", refresh(client) == WALLET_CORE_ERROR_TRANSPORT_MISSING);
  const wallet_core_http_bridge bridge = {
      .struct_size = sizeof bridge, .send = on_send, .cancel = on_cancel};
  CHECK("an HTTP bridge comes", wallet_core_set_http_bridge(&bridge, NULL) == WALLET_CORE_OK);
  const int64_t deadline = process_now() + TEST_PATIENCE_MS;
  while (policies == 0 && process_now() < deadline) {
    process_sleep(10);
  }
  CHECK("and is used at once", policies == 1);
  CHECK("as for all that follows", refresh(client) == WALLET_CORE_ERROR_SERVER_UNREACHABLE);
  return check_result();
}
