/* To be preloaded: writes OPENSSL_cleanup to standard error when a program registers this exit handler. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

int __cxa_atexit(void (*handler)(void *), void *argument, void *library) {
  static const char name[] = "OPENSSL_cleanup\n";
  Dl_info info;
  if (dladdr((void *)handler, &info) && info.dli_sname &&
      strcmp(info.dli_sname, "OPENSSL_cleanup") == 0)
    (void)!write(STDERR_FILENO, name, sizeof name - 1);
  int (*next)(void (*)(void *), void *, void *) =
      (int (*)(void (*)(void *), void *, void *))dlsym(RTLD_NEXT, "__cxa_atexit");
  return next(handler, argument, library);
}
