// SPDX-License-Identifier: Apache-2.0
// Count-downs, from the time that was left when the state was published.

import {h} from "./dom.js";

export function minutes(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Draws a count-down, which stops when its element leaves the page. */
export function countDown(left, whole, what) {
  const end = performance.now() + left;
  const digits = h("span.digits", {}, minutes(left));
  const bar = h("progress", {max: whole, value: left, "aria-label": what});
  const element = h("div.count-down", {role: "timer", "aria-label": what}, digits, h("span.what", {}, what), bar);
  const timer = setInterval(() => {
    const now = end - performance.now();
    digits.textContent = minutes(now);
    bar.value = Math.max(0, now);
    if (!element.isConnected) clearInterval(timer);
  }, 250);
  return element;
}
