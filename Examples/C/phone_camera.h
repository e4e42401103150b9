// SPDX-License-Identifier: Apache-2.0
/* The camera: holds an image file before the step that wants a scan. */
#ifndef PHONE_CAMERA_H
#define PHONE_CAMERA_H

#include "phone_app.h"
#include "scan.h"

enum camera_outcome {
  CAMERA_ANSWERED, /* the step; `status` says how the answer was taken */
  CAMERA_WAITS,    /* nothing that can be read, and the step has no use for that news */
  CAMERA_FAILED    /* there is no such picture */
};

struct camera {
  wallet_core_status status;
  char news[SCAN_REASON_BYTES]; /* for the user; empty where there is none */
};

/* Takes the picture and answers the step that is seen: with what was read, or with `unreadable` where
   a code was seen and the step offers that. */
enum camera_outcome camera_take(struct app *app, const char *path, struct camera *camera);

#endif
