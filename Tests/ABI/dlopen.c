/* Loading with dlopen: no thread, no change of signals, unloading and loading again is harmless. */

#include <dlfcn.h>
#include <string.h>
#include <wallet_core.h>

#include "check.h"
#include "process.h"

int main(int count, char **arguments) {
  if (count != 3) {
    return 2;
  }
  const char *path = arguments[1];
  void *library = NULL;
  struct process_signals before = process_signals_now();
  int32_t (*abi_version)(void);
  int32_t (*is_initialized)(void);
  int same = 1;
  for (int i = 0; i < 200; i++) {
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
      printf("# %s\n", dlerror());
      break;
    }
    void *symbol = dlsym(library, "wallet_core_abi_version");
    memcpy(&abi_version, &symbol, sizeof symbol);
    same = same && abi_version() == WALLET_CORE_ABI_VERSION;
    dlclose(library);
  }
  CHECK("dlopen, call, dlclose, 200 times", library != NULL && same);
  if (library == NULL) {
    return check_result();
  }
  CHECK("the library stays mapped after dlclose", abi_version() == WALLET_CORE_ABI_VERSION);
  library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  void *symbol = dlsym(library, "wallet_core_is_initialized");
  memcpy(&is_initialized, &symbol, sizeof symbol);
  CHECK("not initialized", is_initialized() == 0);
  CHECK("loading starts no thread", process_threads() == 1);
  struct process_signals loaded = process_signals_now();
  CHECK("loading changes no signal", process_signals_differ(&before, &loaded) == 0);
  CHECK("libcurl is not loaded", dlopen("libcurl.so.4", RTLD_NOLOAD | RTLD_LAZY) == NULL);

  wallet_core_status (*init)(const wallet_core_options *, wallet_core_error **);
  symbol = dlsym(library, "wallet_core_init");
  memcpy(&init, &symbol, sizeof symbol);
  wallet_core_options options = {.struct_size = sizeof options};
  options.embedded_configuration =
      process_file(arguments[2], &options.embedded_configuration_length);
  options.app_version = "1.0.0";
  options.app_id = "org.example.tests";
  CHECK("init", init(&options, NULL) == WALLET_CORE_OK && is_initialized() == 1);
  process_sleep(200);
  struct process_signals started = process_signals_now();
  CHECK("init changes no signal", process_signals_differ(&before, &started) == 0);
  CHECK("dlclose after init", dlclose(library) == 0 && is_initialized() == 1);
  return check_result();
}
