/*
 * Calls every function of Sources/CPosix once where it succeeds, and where it can once where it fails.
 *
 *   system DIRECTORY    an empty directory of its own is made in it
 */
#undef NDEBUG
#include "posix_clocks.h"
#include "posix_errors.h"
#include "posix_files.h"
#include "posix_libraries.h"
#include "posix_process.h"
#include "posix_signals.h"
#include "posix_sockets.h"
#include "posix_text.h"
#include "posix_threads.h"

#include <assert.h>
#include <sys/wait.h>

static void try_errors_and_texts(void) {
  assert(strcmp(wallet_error_text(wallet_error_no_such_file), strerror(ENOENT)) == 0);
  assert(wallet_text_length("wallet", 3) == 3 && wallet_text_length("wallet", 9) == 6);
  assert(wallet_text_equals("a", "a") && !wallet_text_equals("a", "ab"));
}

static void try_clocks(void) {
  int64_t boot = wallet_clock_boot_milliseconds();
  int64_t monotonic = wallet_clock_monotonic_microseconds();
  assert(boot > 0 && wallet_clock_boot_milliseconds() >= boot);
  assert(monotonic > 0 && wallet_clock_monotonic_microseconds() >= monotonic);
  int64_t seconds = wallet_clock_calendar_seconds();
  int64_t difference = wallet_clock_calendar_milliseconds() / 1000 - seconds;
  assert(seconds > 0 && difference >= -1 && difference < 60);
}

static void try_files(int directory) {
  const int creating = wallet_open_writing | wallet_open_creating | wallet_open_exclusively;
  assert(wallet_file_open(directory, "new", 0, 0) == -wallet_error_no_such_file);
  int file = wallet_file_open(directory, "new", creating | wallet_open_appending, 0600);
  assert(file >= 0 && fcntl(file, F_GETFD) == FD_CLOEXEC);
  assert(wallet_file_open(directory, "new", creating, 0600) == -wallet_error_file_exists);
  assert(wallet_file_write(file, "abc", 3) == 0 && wallet_file_synchronise(file) == 0);
  assert(wallet_file_set_mode(file, 0640) == 0);
  assert(wallet_file_write(-1, "d", 1) == EBADF);

  assert(wallet_file_lock(file, true) == 0);
  int other = wallet_file_open(directory, "new", wallet_open_reading_and_writing, 0);
  assert(other >= 0 && wallet_file_lock(other, false) == wallet_error_would_block);
  wallet_file_close(file);
  assert(wallet_file_lock(other, false) == 0);
  char bytes[4];
  assert(wallet_file_read(other, bytes, sizeof bytes) == 3 && memcmp(bytes, "abc", 3) == 0);
  assert(wallet_file_read(other, bytes, sizeof bytes) == 0);

  wallet_file_status status = {0}, named = {0};
  assert(wallet_file_status_of(other, &status) == 0);
  assert(status.size == 3 && status.mode == 0640 && status.is_regular && !status.is_directory);
  assert(status.owner == wallet_process_effective_user() && status.modified_seconds > 0);
  wallet_file_close(other);

  assert(wallet_file_rename(directory, "new", "renamed") == 0);
  assert(wallet_file_rename(directory, "new", "renamed") == wallet_error_no_such_file);
  assert(wallet_file_status_in(directory, "renamed", &named) == 0 && named.inode == status.inode);
  assert(wallet_file_delete(directory, "new") == wallet_error_no_such_file);
}

/* With paths of the process, whose directory this is. */
static void try_paths(void) {
  wallet_file_status status = {0};
  assert(wallet_file_link("renamed", "linked") == 0);
  assert(wallet_file_link("renamed", "linked") == wallet_error_file_exists);
  assert(wallet_file_rename(wallet_no_directory, "linked", "second") == 0);
  assert(symlink("renamed", "symbolic") == 0);
  assert(wallet_file_status_at("symbolic", &status) == 0 && status.is_regular);
  assert(
      wallet_file_open(wallet_no_directory, "symbolic", wallet_open_without_following, 0) ==
      -wallet_error_too_many_links);
  char *resolved, *direct;
  assert(wallet_file_resolve("symbolic", &resolved) == 0 && resolved[0] == '/');
  assert(wallet_file_resolve("renamed", &direct) == 0 && strcmp(resolved, direct) == 0);
  wallet_file_free_path(resolved);
  wallet_file_free_path(direct);
  assert(wallet_file_resolve("absent", &resolved) == wallet_error_no_such_file);
  assert(wallet_file_check_access("renamed", true, true, false) == 0);
  assert(wallet_file_check_access("renamed", false, false, true) == wallet_error_access_denied);
  assert(wallet_directory_create("inner", 0700) == 0);
  assert(wallet_directory_create("inner", 0700) == wallet_error_file_exists);
  assert(wallet_file_open(wallet_no_directory, "renamed", wallet_open_directory, 0) == -ENOTDIR);
  assert(mkfifo("pipe", 0600) == 0);
  int pipe = wallet_file_open(wallet_no_directory, "pipe", wallet_open_without_waiting, 0);
  assert(pipe >= 0);
  wallet_file_close(pipe);
  assert(rmdir("inner") == 0);
  const char *names[] = {"renamed", "second", "symbolic", "pipe"};
  for (size_t index = 0; index < 4; index++) {
    assert(wallet_file_delete(wallet_no_directory, names[index]) == 0);
  }
}

static void try_libraries(void) {
  assert(wallet_library_open("no-such-library.so") == NULL);
#if defined(__GLIBC__)
  void *library = wallet_library_open("libc.so.6");
  assert(library && wallet_library_symbol(library, "strlen"));
  assert(!wallet_library_symbol(library, "no_such_symbol"));
#else
  (void)wallet_library_symbol;
#endif
}

static bool is_forked;
static void note_fork(void) {
  is_forked = true;
}
static void end_well(void) {
  _exit(7);
}

static int status_of_child(pid_t child) {
  int status;
  assert(waitpid(child, &status, 0) == child);
  return status;
}

static void try_process(void) {
  assert(wallet_process_identifier() == getpid());
  assert(wallet_process_in_forked_child(note_fork) == 0);
  pid_t killed = fork();
  if (killed == 0) wallet_process_kill();
  int status = status_of_child(killed);
  assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && !is_forked);
  pid_t ended = fork();
  if (ended == 0) {
    bool is_noted = is_forked && wallet_process_identifier() != killed;
    if (wallet_process_at_exit(end_well) != 0 || !is_noted) _exit(1);
    exit(0);
  }
  status = status_of_child(ended);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 7);

  assert(setenv("WALLET_SYSTEM_TEST", "secret", 1) == 0);
  const char *value = wallet_environment_value("WALLET_SYSTEM_TEST");
  assert(value && strcmp(value, "secret") == 0);
  wallet_environment_wipe("WALLET_SYSTEM_TEST");
  assert(!wallet_environment_value("WALLET_SYSTEM_TEST"));
  wallet_environment_wipe("WALLET_SYSTEM_TEST");

  uint64_t allowed;
  assert(wallet_process_allow_open_files(1, &allowed) && allowed == 1);
  struct rlimit limit = {16, 32};
  pid_t limited = fork();
  if (limited == 0) {
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) _exit(1);
    if (!wallet_process_allow_open_files(24, &allowed)) _exit(2);
    if (wallet_process_allow_open_files(64, &allowed) || allowed != 32) {
      /* Who may raise the limit itself is not held to it. */
      if (geteuid() != 0) _exit(3);
    }
    _exit(0);
  }
  assert(status_of_child(limited) == 0);
  assert(wallet_process_ticks_per_second() > 0 && wallet_process_page_bytes() >= 4096);
  wallet_process_flush_output();
  assert(wallet_standard_error == 2);
}

static void try_signals(void) {
  int ends[2];
  assert(pipe(ends) == 0 && close(ends[0]) == 0);
  wallet_broken_pipe state;
  wallet_broken_pipe_block(&state);
  assert(wallet_file_write(ends[1], "x", 1) == EPIPE);
  wallet_broken_pipe_restore(&state);
  sigset_t mask;
  assert(pthread_sigmask(SIG_BLOCK, NULL, &mask) == 0 && sigismember(&mask, SIGPIPE) == 0);
  assert(close(ends[1]) == 0);
}

static void try_sockets(void) {
  uint8_t bytes[16];
  assert(wallet_address_read_ipv4("192.0.2.1", bytes) && memcmp(bytes, "\300\0\2\1", 4) == 0);
  assert(!wallet_address_read_ipv4("192.0.2", bytes));
  assert(wallet_address_read_ipv6("::1", bytes) && bytes[0] == 0 && bytes[15] == 1);
  assert(!wallet_address_read_ipv6("192.0.2.1", bytes));

  int pair[2];
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
  assert(wallet_socket_wait(pair[0], false, 0) == 0 && wallet_socket_wait(pair[0], true, 0) == 1);
  assert(write(pair[1], "x", 1) == 1 && wallet_socket_wait(pair[0], false, -1) == 1);
  assert(close(pair[0]) == 0 && close(pair[1]) == 0);

  struct sockaddr_un address;
  memset(&address, 0, sizeof address);
  address.sun_family = AF_UNIX;
  strcpy(address.sun_path, "socket");
  int receiver = socket(AF_UNIX, SOCK_DGRAM, 0);
  assert(receiver >= 0);
  assert(bind(receiver, (struct sockaddr *)&address, sizeof address) == 0);
  assert(wallet_socket_send("socket", 6, "READY=1", 7) == 0);
  char message[8];
  assert(recv(receiver, message, sizeof message, 0) == 7 && memcmp(message, "READY=1", 7) == 0);
  assert(close(receiver) == 0 && unlink("socket") == 0);
  assert(wallet_socket_send("socket", 6, "x", 1) == wallet_error_no_such_file);
  assert(wallet_socket_send("", 0, "x", 1) == ENAMETOOLONG);
}

static wallet_condition condition;
static uintptr_t key;
static bool is_begun;

static void *begin_and_tell(void *name) {
  wallet_thread_begin((const char *)name, true);
  sigset_t mask;
  assert(pthread_sigmask(SIG_BLOCK, NULL, &mask) == 0);
  assert(sigismember(&mask, SIGTERM) == 1 && sigismember(&mask, SIGSEGV) == 0);
  assert(wallet_thread_key_value(key) == 0);
  wallet_thread_key_set(key, 2);
  assert(wallet_thread_key_value(key) == 2);
  wallet_condition_lock(&condition);
  is_begun = true;
  wallet_condition_unlock(&condition);
  wallet_condition_wake_all(&condition);
  return NULL;
}

static void *do_nothing(void *argument) {
  wallet_thread_begin("nothing", false);
  return argument;
}

static void try_threads(void) {
  assert(wallet_thread_key_create(&key) == 0);
  wallet_thread_key_set(key, 1);
  wallet_condition_init(&condition);
  char name[] = "wallet-system-1";
  uintptr_t thread, other;
  wallet_condition_lock(&condition);
  assert(wallet_thread_create(&thread, begin_and_tell, name) == 0);
  while (!is_begun) wallet_condition_sleep(&condition);
  int64_t before = wallet_clock_monotonic_microseconds();
  wallet_condition_sleep_for(&condition, 20);
  assert(wallet_clock_monotonic_microseconds() > before);
  wallet_condition_unlock(&condition);
  wallet_thread_join(thread);
  assert(wallet_thread_create(&other, do_nothing, NULL) == 0);
  wallet_thread_detach(other);
  assert(wallet_thread_key_value(key) == 1);
  wallet_condition_destroy(&condition);
}

int main(int count, char *arguments[]) {
  assert(count == 2 && chdir(arguments[1]) == 0);
  char name[] = "system.XXXXXX";
  assert(mkdtemp(name) && chdir(name) == 0);
  int directory = wallet_file_open(wallet_no_directory, ".", wallet_open_directory, 0);
  assert(directory >= 0 && wallet_file_synchronise(directory) == 0);
  try_errors_and_texts();
  try_clocks();
  try_files(directory);
  try_paths();
  try_libraries();
  try_process();
  try_signals();
  try_sockets();
  try_threads();
  wallet_file_close(directory);
  return 0;
}
