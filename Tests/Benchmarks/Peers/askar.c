#include "askar.h"

#include <pthread.h>

#include "measure.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int arrived;
static askar_handle brought;
static askar_status failure;

void askar_on_handle(int64_t call, askar_status status, askar_handle handle) {
  (void)call;
  pthread_mutex_lock(&mutex);
  arrived += 1;
  brought = handle;
  if (status != 0) {
    failure = status;
  }
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
}

void askar_on_done(int64_t call, askar_status status) {
  askar_on_handle(call, status, 0);
}

askar_handle askar_wait(int calls) {
  pthread_mutex_lock(&mutex);
  while (arrived < calls) {
    pthread_cond_wait(&changed, &mutex);
  }
  arrived = 0;
  askar_handle handle = brought;
  pthread_mutex_unlock(&mutex);
  askar_check(failure, "an answer");
  return handle;
}

void askar_check(askar_status status, const char *what) {
  if (status != 0) {
    measure_fail(what);
  }
}

struct askar askar_load(void *library) {
  struct askar askar;
  const struct {
    measure_function **place;
    const char *name;
  } functions[] = {
      {(measure_function **)&askar.raw_key, "askar_store_generate_raw_key"},
      {(measure_function **)&askar.derive, "askar_argon2_derive_password"},
      {(measure_function **)&askar.provision, "askar_store_provision"},
      {(measure_function **)&askar.open, "askar_store_open"},
      {(measure_function **)&askar.close, "askar_store_close"},
      {(measure_function **)&askar.profile_name, "askar_store_get_profile_name"},
      {(measure_function **)&askar.session, "askar_session_start"},
      {(measure_function **)&askar.end, "askar_session_close"},
      {(measure_function **)&askar.update, "askar_session_update"},
      {(measure_function **)&askar.fetch, "askar_session_fetch"},
      {(measure_function **)&askar.fetch_all, "askar_session_fetch_all"},
      {(measure_function **)&askar.entry_count, "askar_entry_list_count"},
      {(measure_function **)&askar.entry_value, "askar_entry_list_get_value"},
      {(measure_function **)&askar.entries_free, "askar_entry_list_free"},
      {(measure_function **)&askar.bytes_free, "askar_buffer_free"},
      {(measure_function **)&askar.text_free, "askar_string_free"},
      {(measure_function **)&askar.key_from_secret, "askar_key_from_secret_bytes"},
      {(measure_function **)&askar.sign, "askar_key_sign_message"},
      {(measure_function **)&askar.version, "askar_version"},
  };
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    *functions[i].place = measure_symbol(library, functions[i].name);
  }
  return askar;
}
