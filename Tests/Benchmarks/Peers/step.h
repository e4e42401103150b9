/*
 * The least that a choice can cost in plain C, besides the hand-over: a case and a row are looked up in a
 * table, and a step with texts of its own is made once for all clients.
 */
#ifndef STEP_H
#define STEP_H

#include <stdint.h>

struct step;

/* The step after `action` on `row`, with one reference; fails if the table has no such case. */
struct step *step_after(const char *row, const char *action, uint64_t serial);
struct step *step_retain(struct step *step);
void step_release(struct step *step);
uint64_t step_serial(const struct step *step);
/* Valid as long as the step. */
const char *step_row(const struct step *step);

#endif
