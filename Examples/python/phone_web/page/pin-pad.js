// SPDX-License-Identifier: Apache-2.0
// The PIN pad. Digits are never text: they go from the keys into bytes and from there to the core, and are then
// overwritten.

import {h} from "./dom.js";

export class PinPad {
  #digits;
  #length = 0;
  #isSending = false;
  #dots;
  #enter;

  /** `enter` gets the digits as bytes; they are overwritten when it has returned. */
  constructor(count, enter) {
    this.#digits = new Uint8Array(count);
    this.#enter = enter;
    this.#dots = Array.from({length: count}, () => h("span.dot"));
    this.status = h("p.visually-hidden", {role: "status"});
    const keys = ["1", "2", "3", "4", "5", "6", "7", "8", "9"].map((digit) => this.#key(digit));
    const back = h("button.key.delete", {type: "button", "aria-label": "Delete the last digit",
      onclick: () => this.press("Backspace")}, "⌫");
    this.element = h("div.pin", {role: "group", "aria-label": "PIN"},
      h("div.dots", {"aria-hidden": "true"}, ...this.#dots), this.status,
      h("div.keys", {}, ...keys, h("span"), this.#key("0"), back));
  }

  #key(digit) {
    return h("button.key", {type: "button", onclick: () => this.press(digit)}, digit);
  }

  /** Handles a key of the pad or of the keyboard. Returns whether it is a key of the pad. While a PIN is being sent,
   * keys change nothing. */
  press(key) {
    if (this.#isSending) return /^([0-9]|Backspace)$/.test(key);
    if (/^[0-9]$/.test(key)) {
      if (this.#length < this.#digits.length) this.#digits[this.#length++] = key.charCodeAt(0);
    } else if (key === "Backspace") {
      if (this.#length > 0) this.#digits[--this.#length] = 0;
    } else {
      return false;
    }
    this.#draw();
    if (this.#length === this.#digits.length) this.#send();
    return true;
  }

  forget() {
    this.#digits.fill(0);
    this.#length = 0;
    this.#draw();
  }

  async #send() {
    this.#isSending = true;
    try {
      await this.#enter(this.#digits);
    } finally {
      this.#isSending = false;
      this.forget();
    }
  }

  #draw() {
    for (const [index, dot] of this.#dots.entries()) dot.classList.toggle("full", index < this.#length);
    this.status.textContent = `${this.#length} of ${this.#digits.length} digits`;
  }
}
