// SPDX-License-Identifier: Apache-2.0
#include "phone_camera.h"

#include <stdio.h>
#include <string.h>

/* The symbology that the step asks for. */
static int32_t wanted_symbology(const wallet_core_event *step) {
  return strcmp(wallet_core_event_step_name(step), "scan-licence") == 0
             ? WALLET_CORE_SYMBOLOGY_PDF417
             : WALLET_CORE_SYMBOLOGY_QR_CODE;
}

static enum camera_outcome say(
    struct camera *camera, enum camera_outcome outcome, const char *message) {
  snprintf(camera->message, sizeof camera->message, "%s", message);
  return outcome;
}

enum camera_outcome camera_take(struct app *app, const char *path, struct camera *camera) {
  struct scan scan;
  enum camera_outcome outcome = CAMERA_ANSWERED;
  *camera = (struct camera){.status = WALLET_CORE_OK};
  switch (scan_image(path, wanted_symbology(app->step), &scan)) {
    case SCAN_DECODED:
      camera->status = app_scanned(app, scan.symbology, scan.bytes, scan.length);
      break;
    case SCAN_UNREADABLE:
      if (app_offers(app, "unreadable")) {
        camera->status = app_choose(app, "unreadable", NULL);
      } else {
        outcome = say(camera, CAMERA_WAITS, "A code is there, but it cannot be read.");
      }
      break;
    case SCAN_NOTHING:
      outcome = say(camera, CAMERA_WAITS, "There is no code in the picture.");
      break;
    case SCAN_FAILED:
      outcome = say(camera, CAMERA_FAILED, scan.reason);
      break;
  }
  scan_wipe(&scan);
  return outcome;
}
