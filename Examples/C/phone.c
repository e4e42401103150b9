// SPDX-License-Identifier: Apache-2.0
/*
 * phone - a phone in the terminal, with the wallet as its app.
 *
 *     phone [--ios] [--pictures DIRECTORY] CONFIGURATION_FILE STATE_DIRECTORY
 *
 * It draws every step and takes keys: the whole wallet, with a fingerprint sensor, a home button, a
 * key that kills the app and an airplane mode. Its camera offers the pictures in DIRECTORY.
 *
 * There are two processes: this file is the phone, its child the app. So the app can be killed as on a
 * real phone, and the terminal is restored whatever happens to the app.
 */
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "phone.h"

static struct termios terminal;
static volatile sig_atomic_t is_raw;
static volatile sig_atomic_t app_process;

static void restore_terminal(void) {
  if (is_raw) {
    is_raw = 0;
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &terminal);
    static const char below_the_phone[] = "\x1b[?25h\r\n";
    (void)!write(STDOUT_FILENO, below_the_phone, sizeof below_the_phone - 1);
  }
}

/* The app ends with its phone. Makes only calls that are safe in signal handlers. */
static void on_signal(int number) {
  if (app_process > 0) {
    kill((pid_t)app_process, SIGKILL);
  }
  restore_terminal();
  signal(number, SIG_DFL);
  raise(number);
}

static void catch_signals(void (*handler)(int number)) {
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    signal(numbers[i], handler);
  }
}

/* Switches off echo, line editing and signals from keys. Returns 0, or -1 if there is no terminal. */
static int make_terminal_raw(void) {
  if (tcgetattr(STDIN_FILENO, &terminal) != 0) {
    fprintf(stderr, "phone: the keys are read from a terminal\n");
    return -1;
  }
  struct termios raw = terminal;
  raw.c_iflag &= ~(tcflag_t)(BRKINT | ICRNL | INPCK | ISTRIP | IXON);
  raw.c_lflag &= ~(tcflag_t)(ECHO | ICANON | IEXTEN | ISIG);
  is_raw = 1;
  tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw);
  static const char hidden_cursor[] = "\x1b[?25l\x1b[2J";
  (void)!write(STDOUT_FILENO, hidden_cursor, sizeof hidden_cursor - 1);
  return 0;
}

/* One run of the app, from its start to its exit or kill. */
struct app_run {
  struct device *device;
  const char *configuration_path, *pictures;
  int status;
};

static void *play(void *context) {
  struct app_run *run = context;
  run->status = terminal_play(run->device, run->configuration_path, run->pictures);
  return NULL;
}

/* Runs the app on a new thread: Swift's runtime knows the thread that forked by its number in the
   parent, and its locks use these numbers. Returns the exit status. */
static int run_once(struct app_run *run) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, play, run) != 0) {
    fprintf(stderr, "phone: no thread for the app\n");
    return 1;
  }
  pthread_join(thread, NULL);
  return run->status;
}

/* Runs the app again after every kill, until it exits by itself. Returns its exit status. */
static int run_until_exit(const struct app_run *plan) {
  struct device *device = plan->device;
  for (;;) {
    fflush(stdout);
    /* The library is not initialised in this process, so the child may use it, on its own threads. */
    pid_t child = fork();
    if (child == 0) {
      catch_signals(SIG_DFL);
      struct app_run run = *plan;
      exit(run_once(&run));
    }
    app_process = child;
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    app_process = 0;
    if (child < 0) {
      perror("phone: fork");
      return 1;
    }
    if (WIFEXITED(status)) {
      return WEXITSTATUS(status);
    }
    const int is_kill = WTERMSIG(status) == SIGKILL && device->is_kill_expected;
    device->is_kill_expected = 0;
    if (!is_kill) {
      restore_terminal();
      fprintf(stderr, "phone: the app was ended by signal %d\n", WTERMSIG(status));
      return 1;
    }
  }
}

static int usage(void) {
  fprintf(
      stderr, "usage: phone [--ios] [--pictures DIRECTORY] CONFIGURATION_FILE STATE_DIRECTORY\n");
  return 2;
}

static int cannot_use(const char *path) {
  fprintf(stderr, "phone: %s: %s\n", path, strerror(errno));
  return 0;
}

/* These run before the terminal becomes raw. Each returns 0 with the reason on stderr. */
static int is_readable(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    return cannot_use(path);
  }
  const int is_read = fgetc(file) != EOF || !ferror(file);
  if (!is_read) {
    cannot_use(path);
  }
  fclose(file);
  return is_read;
}

static int is_directory(const char *path) {
  DIR *directory = opendir(path);
  if (directory == NULL) {
    return cannot_use(path);
  }
  closedir(directory);
  return 1;
}

int main(int count, char **arguments) {
  const char *pictures = NULL;
  int is_ios = 0, next = 1;
  for (; next < count && strncmp(arguments[next], "--", 2) == 0; next++) {
    if (strcmp(arguments[next], "--ios") == 0) {
      is_ios = 1;
    } else if (strcmp(arguments[next], "--pictures") == 0 && next + 1 < count) {
      pictures = arguments[++next];
    } else {
      return usage();
    }
  }
  if (count - next != 2) {
    return usage();
  }
  struct device *device =
      mmap(NULL, sizeof *device, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (device == MAP_FAILED) {
    perror("phone: mmap");
    return 1;
  }
  mkdir(arguments[next + 1], 0700);
  if (!is_readable(arguments[next]) || !is_directory(arguments[next + 1]) ||
      (pictures != NULL && !is_directory(pictures))) {
    return 1;
  }
  device_reset(device, arguments[next + 1]);
  if (is_ios) {
    device->platform = WALLET_CORE_PLATFORM_IOS;
  }
  if (make_terminal_raw() != 0) {
    return 1;
  }
  setvbuf(stdout, NULL, _IOFBF, 64 * 1024);
  catch_signals(on_signal);
  const struct app_run plan = {device, arguments[next], pictures, 1};
  int status = run_until_exit(&plan);
  restore_terminal();
  return status;
}
