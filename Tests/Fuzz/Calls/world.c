#include "world.h"

#include <dirent.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wallet_core_testing.h>

#include "provider.h"

enum { PATH = 512, FILES = 8 };

struct file {
  char name[64];
  uint8_t *bytes;
  size_t length;
};

static struct file configuration, wallet[FILES];
static size_t wallet_files;
static char root[PATH], storage[PATH + 16];
static atomic_llong calendar;

_Noreturn static void give_up(const char *what) {
  perror(what);
  exit(2);
}

static struct file read_file(const char *directory, const char *name) {
  struct file file = {.bytes = malloc(1 << 20)};
  char path[PATH * 3];
  snprintf(file.name, sizeof file.name, "%s", name);
  snprintf(path, sizeof path, "%s/%s", directory, name);
  FILE *stream = fopen(path, "rb");
  if (stream == NULL || file.bytes == NULL) give_up(path);
  file.length = fread(file.bytes, 1, 1 << 20, stream);
  fclose(stream);
  return file;
}

static void remove_files(const char *directory) {
  DIR *files = opendir(directory);
  for (struct dirent *entry; files != NULL && (entry = readdir(files)) != NULL;) {
    if (entry->d_name[0] != '.' || strlen(entry->d_name) > 2) {
      unlinkat(dirfd(files), entry->d_name, 0);
    }
  }
  if (files != NULL) closedir(files);
}

static void leave(void) {
  remove_files(storage);
  rmdir(storage);
  rmdir(root);
}

void world_open(void) {
  const char *fixture = getenv("WALLET_CORE_FUZZ_WALLETS");
  char directory[PATH];
  if (fixture == NULL) {
    fputs("WALLET_CORE_FUZZ_WALLETS is not set\n", stderr);
    exit(2);
  }
  configuration = read_file(fixture, "configuration.json");
  configuration.length = provider_open(configuration.bytes, configuration.length, 1 << 20);
  snprintf(directory, sizeof directory, "%s/wallet", fixture);
  struct dirent **entries;
  int count = scandir(directory, &entries, NULL, alphasort);
  if (count < 0) give_up(directory);
  for (int i = 0; i < count; free(entries[i++])) {
    if (entries[i]->d_name[0] == '.' || wallet_files == FILES) continue;
    wallet[wallet_files++] = read_file(directory, entries[i]->d_name);
  }
  free(entries);
  /* In a memory file system if there is one, because a program writes as much as a wallet does. */
  const char *parent = getenv("TMPDIR");
  if (parent == NULL) parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
  snprintf(root, sizeof root, "%s/wallet-calls-XXXXXX", parent);
  if (mkdtemp(root) == NULL) give_up(root);
  snprintf(storage, sizeof storage, "%s/storage", root);
  atexit(leave);
}

const char *world_begin(int is_registered) {
  if (mkdir(storage, 0700) != 0) remove_files(storage);
  for (size_t i = 0; is_registered && i < wallet_files; i++) {
    char path[PATH * 3];
    snprintf(path, sizeof path, "%s/%s", storage, wallet[i].name);
    FILE *stream = fopen(path, "wb");
    if (stream == NULL || fwrite(wallet[i].bytes, 1, wallet[i].length, stream) != wallet[i].length)
      give_up(path);
    fclose(stream);
  }
  return storage;
}

void world_damage(uint8_t file, size_t place, uint8_t change) {
  if (wallet_files == 0) return;
  char path[PATH * 3];
  snprintf(path, sizeof path, "%s/%s", storage, wallet[file % wallet_files].name);
  FILE *stream = fopen(path, "r+b");
  if (stream == NULL) stream = fopen(path, "w+b"); /* if there is no wallet */
  if (stream == NULL) give_up(path);
  fseek(stream, 0, SEEK_END);
  long size = ftell(stream);
  if (size > 0) place %= (size_t)size;
  fseek(stream, (long)place, SEEK_SET);
  int byte = fgetc(stream);
  fseek(stream, (long)place, SEEK_SET);
  if (change != 0) {
    fputc((byte == EOF ? 0 : byte) ^ change, stream);
  } else if (ftruncate(fileno(stream), (off_t)place) != 0) {
    give_up(path);
  }
  fclose(stream);
}

void world_reset_calendar(void) {
  wallet_core_testing_advance_calendar(-atomic_exchange(&calendar, 0));
}

void world_end(void) {
  world_reset_calendar();
  remove_files(storage);
}

const uint8_t *world_configuration(size_t *length) {
  *length = configuration.length;
  return configuration.bytes;
}

void world_move_calendar(int64_t seconds) {
  atomic_fetch_add(&calendar, seconds);
  wallet_core_testing_advance_calendar(seconds);
}
