// SPDX-License-Identifier: Apache-2.0
// Line drawings in a 24 by 24 box, and the steps that show them.

import {icon} from "./dom.js";

const PATHS = {
  wallet: "M4 7h15a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2h12v3M16 13.500h5",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  lock: "M6 11h12v9H6zM8 11V8a4 4 0 0 1 8 0v3M12 14.500v2",
  unlock: "M6 11h12v9H6zM8 11V8a4 4 0 0 1 7.5-2M12 14.500v2",
  shield: "M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6zM8.5 12l2.5 2.5 4.5-5",
  finger: "M4.5 16v-4a7.5 7.5 0 0 1 3-6M19.5 16v-4A7.5 7.5 0 0 0 11 4.600M8 19.500c-.5-2-.8-4.5-.8-7.5"
    + "a4.8 4.8 0 0 1 9.6 0c0 3-.2 5-.7 7.500M12 12c0 3 .1 5.5.8 8",
  code: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2h-2zM18 18h2v2h-2zM18 14h2M14 18v2",
  licence: "M3 6h18v13H3zM6 16c.5-2 4-2 4.5 0M8.2 9.500a1.6 1.6 0 1 0 .1 0M13.5 10H18M13.5 13H18",
  check: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8 12.200l3 3 5-6",
  cross: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM9 9l6 6M15 9l-6 6",
  warning: "M12 4l9 16H3zM12 10v4.500M12 17v.2",
  clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3.5 2",
  offline: "M2 9a15 15 0 0 1 20 0M6 13a9 9 0 0 1 12 0M10 17a3 3 0 0 1 4 0M4 4l16 16",
  bin: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5",
  person: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4 21c1-8 15-8 16 0",
  info: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 11v5.500M12 7.500v.3",
  help: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM9.5 9.500a2.5 2.5 0 1 1 3.5 2.300c-.8.4-1 1-1 1.700M12 16.800v.2",
  back: "M15 5l-7 7 7 7",
  app: "M5 5h14v14H5zM9 12h6M12 9v6",
  update: "M12 4v11M7 10l5 5 5-5M5 20h14",
  plane: "M10.5 20l1-6L4 11l17-7-6 17-3.5-7",
};

const BY_STEP = {
  splash: "wallet", "introduction-1": "wallet", "introduction-2": "eye", "introduction-3": "lock",
  "privacy-considerations": "shield", "privacy-statement": "shield", "configure-biometrics": "finger",
  "setup-done": "check", "pin-too-simple": "warning", "pin-differs-retry": "warning",
  "pin-differs-start-over": "warning", "wrong-pin": "cross", "temporarily-blocked": "clock",
  "permanently-blocked": "lock", "forgot-pin": "help", "proofing-start": "licence", "proofing-unavailable": "warning",
  "confirm-account": "person", "code-failed": "cross", "code-retry": "warning", "licence-failed": "cross",
  "licence-retry": "warning", "proofing-failed": "cross", "proofing-pending": "clock", "proofing-retry": "warning",
  "proofing-waiting": "clock", "wallet-replacement": "warning",
  "stop-proofing": "help", "receive-with-pin": "licence", "wallet-ready": "check", about: "wallet", wipe: "bin", "inactivity-warning": "clock",
  "camera-permission-needed": "code", "invalid-qr": "code", "no-internet": "offline", "server-unreachable": "offline",
  "device-insecure": "shield", generic: "warning", "update-needed": "update", "app-blocked": "lock", help: "help",
  "scan-with-wallet": "code", "biometric-not-recognised": "finger", "biometric-not-recognised-enter-pin": "finger",
  "biometric-too-many-attempts": "finger", "biometric-enter-pin": "finger", "camera-permission": "code",
  "ask-for-camera": "code", issuance: "wallet", "website-check": "help", "about-website-check": "help",
  "approve-sharing": "eye", "approve-login": "unlock", "sharing-done": "check", "login-done": "check",
  "confirm-stop": "help", "sharing-stopped": "cross", "sharing-details": "eye", "requested-data": "eye",
  "details-incorrect": "warning", agreements: "shield", "about-organisation": "info", "missing-data": "cross",
  "missing-data-details": "cross", "choose-card": "wallet", activities: "clock", "activity-details": "clock",
  "report-problem": "help", "session-expired": "clock",
};

export const draw = (name, className) => icon(PATHS[name], className);

/** The picture of a step by its name; a generic one for names that are not known here. */
export function picture(step) {
  return draw(BY_STEP[step.name] ?? (step.step_kind === "error" ? "warning" : "app"), "picture");
}
