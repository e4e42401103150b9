// SPDX-License-Identifier: Apache-2.0
// The phone: draws the screen and what covers it, and handles the keys of its user.

import {h} from "./dom.js";
import {draw} from "./icons.js";
import {progress, prompt, screen} from "./screens.js";
import {verifierView} from "./verifier.js";

const TOUCHES = {recognised: "Recognised", "not-recognised": "Not recognised", cancelled: "Cancel"};

export class Phone {
  act; // sends a command and shows its result
  #bar = h("div.status-bar");
  #display = h("div.display");
  #toasts = h("div.toasts", {role: "status", "aria-live": "polite"});
  #device;
  #state = null;
  #view = ""; // what is drawn, so that it is drawn again only if it changes
  #screens = new Map(); // the latest step of each screen, to be drawn under prompts
  #named = ""; // the name of the step that is drawn
  #last = null; // the last screen
  #pad = null;
  #news = 0;
  #order;
  #lastActivity = 0;

  constructor(parent, order) {
    this.#order = order;
    const homeBar = h("div.home-bar", {"aria-hidden": "true"});
    this.#device = h("div.device", {}, this.#bar, this.#display, this.#toasts, homeBar);
    parent.append(this.#device);
    this.#device.addEventListener("pointerdown", () => this.#isActive());
    addEventListener("keydown", (event) => this.#key(event));
  }

  show(state) {
    this.#state = state;
    this.#drawBar(state);
    if (state.news && state.news.number > this.#news) this.toast({news: state.news.text});
    this.#news = Math.max(this.#news, state.news?.number ?? 0);
    const view = JSON.stringify([state.engine, state.is_background, state.step?.serial, state.prompt, state.cards,
      state.activities, state.presented, state.version?.grade, state.clock_ms, state.link]);
    if (view === this.#view) return;
    this.#view = view;
    this.#draw(state);
  }

  /** Shows that the connection to the server is lost for that reason, or is back if it is "". */
  lose(why) {
    this.#device.classList.toggle("lost", why !== "");
    this.toast({news: why});
  }

  /** Shows a short message: a command that failed, or an action that a real app would carry out. */
  toast({status = "OK", message = "", news = ""}) {
    const failure = status === "OK" ? [] : [status === "FAILED" ? "" : status, message];
    const text = news || failure.filter(Boolean).join(": ");
    if (!text) return;
    const toast = h("p.toast", {}, text);
    this.#toasts.replaceChildren(toast);
    setTimeout(() => toast.remove(), 6000);
  }

  // Sends the command of a screen, and says what a real app would do for it.
  #do = async (name, words, body = null, workOfHost = "") => {
    const answer = await this.act(name, words, body);
    if (answer.status === "OK" && workOfHost) this.toast({news: workOfHost});
    return answer;
  };

  #drawBar({rules, online, lock, core}) {
    const isLocked = lock?.is_locked ?? true;
    const plane = h("span", {title: "airplane mode"}, draw("plane"), h("span.visually-hidden", {}, "airplane mode"));
    const state = h(isLocked ? "span.lock" : "span.lock.open", {id: "lock-state"},
      draw(isLocked ? "lock" : "unlock"), isLocked ? "locked" : "unlocked");
    this.#bar.replaceChildren(
      h("span", {}, new Date().toTimeString().slice(0, 5)),
      h("span.rules", {title: `wallet_core ${core}`}, rules === "ios" ? "iOS rules" : "Android rules"),
      h("span.signs", {}, online ? null : plane, state));
  }

  #draw(state) {
    const hadFocus = document.activeElement === document.body || this.#device.contains(document.activeElement);
    this.#pad?.forget();
    this.#pad = null;
    if (state.step?.name !== this.#named) this.#toasts.replaceChildren(); // they belong to another step
    this.#named = state.step?.name;
    this.#display.replaceChildren(...this.#layers(state));
    if (hadFocus) this.#display.querySelector(".over h3, .screen h3")?.focus({preventScroll: true});
  }

  #layers(state) {
    const {step, engine} = state;
    if (engine === "dead") return [this.#beneath(), this.#over(this.#deadEngine())];
    if (engine === "ended") return [this.#home("The app has ended.", "restart", {rules: state.rules})];
    if (state.is_background) return [this.#home("The app is in the background.", "background", {is: "off"})];
    if (!step) return [h("section.screen.busy", {}, h("div.content", {}, h("div.spinner")))];
    const sensor = state.prompt ? [this.#over(this.#sensor(step))] : [];
    switch (step.step_kind) {
      case "end": return [this.#home(step.message, "open-app", {})];
      case "progress": return [progress(step), ...sensor];
      case "system-prompt": return [this.#beneath(), ...sensor];
      case "prompt": return [this.#beneath(step.beneath), this.#over(prompt(step, state, this.#do)), ...sensor];
      default: return [this.#screen(step, state), ...sensor, ...this.#verifier(state)];
    }
  }

  #screen(step, state) {
    this.#screens.set(step.name, step);
    this.#last = step;
    const drawn = screen(step, state, this.#do);
    this.#pad = drawn.pad;
    return drawn.element;
  }

  /** Draws the screen under a prompt: visible, but inert. */
  #beneath(name) {
    const step = this.#screens.get(name) ?? this.#last;
    if (!step) return h("section.screen");
    const {element} = screen(step, this.#state, () => {});
    element.inert = true;
    return element;
  }

  #over(element) {
    return h("div.over", {}, element);
  }

  #sensor(step) {
    const title = h("h3", {id: "sensor-title", tabindex: "-1"}, "Touch the sensor");
    return h("section.prompt.sensor", {role: "alertdialog", "aria-modal": "true", "aria-labelledby": "sensor-title"},
      h("div.art.small", {}, draw("finger", "picture")), title,
      h("p.message", {}, `The system asks: ${step.title}.`),
      step.arguments.is_request_waiting ? h("p.message", {}, step.message) : null,
      h("div.buttons", {}, ...Object.entries(TOUCHES).map(([word, words]) => h(
        word === "recognised" ? "button.primary" : "button.plain",
        {type: "button", "data-finger": word, onclick: () => this.#do("finger", {word})}, words))));
  }

  /** Draws the view of the verifier that a card was shown to, until the user closes it. */
  #verifier({presented}) {
    if (!presented) return [];
    return [this.#over(verifierView(presented, () => this.#do("close-verifier", {number: presented.number})))];
  }

  #deadEngine() {
    return h("section.prompt", {role: "alertdialog", "aria-modal": "true", "aria-labelledby": "dead-title"},
      h("h3", {id: "dead-title", tabindex: "-1"}, "The engine is dead"),
      h("p.message", {}, "The part of the app that drew these screens has died. The process and the wallet live on; a "
        + "new engine takes over and finds the wallet locked."),
      h("div.buttons", {}, h("button.primary", {type: "button", onclick: () => this.#do("new-engine", {})},
        "Start a new engine")));
  }

  #home(words, name, wordsOf) {
    return h("section.screen.launcher", {"aria-label": "Home screen"}, h("div.content", {},
      h("button.app-icon", {type: "button", onclick: () => this.#do(name, wordsOf)},
        h("img", {src: "icon.svg", alt: "", width: 64, height: 64}), "Open the wallet"),
      h("p.message", {}, words)));
  }

  #key(event) {
    if (this.#device.contains(event.target)) this.#isActive();
    const isTyping = event.target.closest?.("input, select, textarea, dialog");
    if (!this.#pad || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.#pad.press(event.key)) {
      event.preventDefault();
      this.#isActive();
    }
  }

  /** Reports user activity to the library, at most once a second. */
  #isActive() {
    const now = performance.now();
    if (now - this.#lastActivity < 1000 || this.#state?.engine !== "alive") return;
    this.#lastActivity = now;
    this.#order("activity");
  }
}
