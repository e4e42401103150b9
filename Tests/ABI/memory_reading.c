/* Reads all memory of a process, for memory_search. */

#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "memory_stages.h"

enum { PIECE = 1 << 20, LONGEST_NEEDLE = 64, AROUND = 12, TEXT = 4096 };

static int is_reporting;

uint64_t searched_bytes, guarded_bytes, unread_bytes;

/* The needles that begin with these two bytes, so that one pass finds all needles. */
static struct needle *beginning[1 << 16];

/* Prints where a needle was found, and what stands around it: it may be a part of a number of the same digits. */
static void report(
    const struct needle *needle, const uint8_t *bytes, size_t at, size_t length, uint64_t start,
    const char *mapping) {
  printf("# %s at %llx", needle->name, (unsigned long long)(start + at));
  printf(", behind");
  for (size_t i = at < AROUND ? 0 : at - AROUND; i < at; i++) {
    printf(" %02x", bytes[i]);
  }
  printf(", before");
  for (size_t i = at + needle->length; i < at + needle->length + AROUND && i < length; i++) {
    printf(" %02x", bytes[i]);
  }
  printf(", in %s", mapping);
}

/* Whether a PIN was found in a time: in ten digits, seconds since 1970, or in thirteen, milliseconds. There are so
   many of them that now and then one has the digits of a PIN. */
static int is_in_time(const uint8_t *bytes, size_t at, size_t length) {
  size_t start = at, end = at;
  while (start > 0 && isdigit(bytes[start - 1])) {
    start--;
  }
  while (end < length && isdigit(bytes[end])) {
    end++;
  }
  char now[24];
  snprintf(now, sizeof now, "%lld", (long long)time(NULL));
  return (end - start == 10 || end - start == 13) && memcmp(bytes + start, now, 3) == 0;
}

static void search_piece(const uint8_t *bytes, size_t length, uint64_t start, const char *mapping) {
  if (length > 0 && bytes[0] == 0 && memcmp(bytes, bytes + 1, length - 1) == 0) {
    return; /* most of a process's memory was never touched, and no needle is of zeros */
  }
  for (size_t at = 0; at + 1 < length; at++) {
    for (struct needle *needle = beginning[bytes[at] << 8 | bytes[at + 1]]; needle != NULL;
         needle = needle->next) {
      if (length - at >= needle->length && memcmp(bytes + at, needle->bytes, needle->length) == 0 &&
          !is_in_time(bytes, at, length) && needle->found++ < 4 && is_reporting) {
        report(needle, bytes, at, length, start, mapping);
      }
    }
  }
}

static void search_mapping(FILE *memory, uint64_t start, uint64_t end, const char *mapping) {
  static uint8_t piece[PIECE + LONGEST_NEEDLE];
  size_t kept = 0; /* the end of the piece before, so that nothing hides between two pieces */
  for (uint64_t at = start; at < end;) {
    size_t wanted = end - at < PIECE ? (size_t)(end - at) : PIECE;
    ssize_t got = pread(fileno(memory), piece + kept, wanted, (off_t)at);
    if (got <= 0) {
      if (unread_bytes == 0) {
        printf("# cannot be read at %llx: %s", (unsigned long long)at, mapping);
      }
      unread_bytes += 4096;
      at += 4096;
      kept = 0;
      continue;
    }
    size_t length = kept + (size_t)got;
    search_piece(piece, length, at - kept, mapping);
    searched_bytes += (uint64_t)got;
    at += (uint64_t)got;
    kept = length < LONGEST_NEEDLE - 1 ? length : LONGEST_NEEDLE - 1;
    memmove(piece, piece + length - kept, kept);
  }
}

int search(pid_t process, struct needle *needles, size_t count, int reports) {
  char path[64], line[TEXT];
  is_reporting = reports;
  searched_bytes = guarded_bytes = unread_bytes = 0;
  memset(beginning, 0, sizeof beginning);
  for (size_t i = 0; i < count; i++) {
    struct needle **first = &beginning[needles[i].bytes[0] << 8 | needles[i].bytes[1]];
    needles[i].found = 0;
    needles[i].next = *first;
    *first = &needles[i];
  }
  int status = 0;
  if (kill(process, SIGSTOP) != 0 || waitpid(process, &status, WUNTRACED) != process ||
      !WIFSTOPPED(status)) {
    perror("the host does not stop");
    return 0;
  }
  snprintf(path, sizeof path, "/proc/%d/maps", process);
  FILE *maps = fopen(path, "r");
  snprintf(path, sizeof path, "/proc/%d/mem", process);
  FILE *memory = fopen(path, "r");
  while (maps != NULL && memory != NULL && fgets(line, sizeof line, maps) != NULL) {
    unsigned long long start = 0, end = 0;
    char rights[5] = "";
    if (sscanf(line, "%llx-%llx %4s", &start, &end, rights) != 3 || strstr(line, "[vvar") != NULL ||
        strstr(line, "[vsyscall]") != NULL) {
      continue; /* the kernel's own pages */
    }
    guarded_bytes += strncmp(rights, "---", 3) == 0 ? end - start : 0;
    search_mapping(memory, start, end, line);
  }
  int good = maps != NULL && memory != NULL && searched_bytes > 0;
  if (maps != NULL) fclose(maps);
  if (memory != NULL) fclose(memory);
  kill(process, SIGCONT);
  return good;
}
