/* For the check: the library's functions for tests. */
#include <stdlib.h>
#include <wallet_core_testing.h>

#include "wallet_core_jni.h"

#define CHECK(result, name) JNIEXPORT result JNICALL Java_Check_##name

CHECK(jbyteArray, configuration)(STATIC) {
  const char *document = wallet_core_testing_configuration();
  return new_text(env, document == NULL ? "" : document);
}

CHECK(jint, serve)(STATIC, jstring directory) {
  char *path = copy_text(env, directory);
  const jint status = path == NULL ? -1 : wallet_core_testing_serve_http_bridge(path);
  free(path);
  return status;
}
