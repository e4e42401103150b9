// SPDX-License-Identifier: Apache-2.0
/* The camera: answers a step that asks for a scan with what is read in an image file. */
#ifndef PHONE_CAMERA_H
#define PHONE_CAMERA_H

#include "phone_app.h"
#include "scan.h"

enum camera_outcome {
  CAMERA_ANSWERED, /* the step was answered; `status` is the answer's status */
  CAMERA_WAITS,    /* nothing can be read, and the step has no action for that */
  CAMERA_FAILED    /* there is no such picture */
};

struct camera {
  wallet_core_status status;
  char message[SCAN_REASON_BYTES]; /* for the user; may be empty */
};

/* Scans the picture and answers the current step: with what was read, or with `unreadable` if a code
   was seen and the step offers that action. */
enum camera_outcome camera_take(struct app *app, const char *path, struct camera *camera);

#endif
