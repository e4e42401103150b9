// SPDX-License-Identifier: Apache-2.0
// Draws a step of the flows. Every step can be drawn from its title, message, actions, input, arguments and notices;
// the names that are known here only make it look nicer.

import {camera} from "./camera.js";
import {card, cardClaims, presentForm} from "./cards.js";
import {countDown} from "./count-down.js";
import {h} from "./dom.js";
import {draw, picture} from "./icons.js";
import {PinPad} from "./pin-pad.js";
import {activities, sharing} from "./sharing.js";

const NOTICES = {
  "link-invalid": "The link is not one for this wallet.",
  "no-wallet": "First set up your wallet; then open the link again.",
  "no-pid": "First get your digital ID; then open the link again.",
  "link-kept": "The link is kept until you get your digital ID.",
  "flow-in-progress": "First finish or stop proving who you are.",
  "biometrics-unavailable": "Biometrics cannot be used now.",
  "biometrics-switched-off": "Biometric unlock was switched off: your fingers have changed.",
  "failed-attempts": "Wrong PINs were entered since you last opened your wallet.",
  "session-lost": "It took too long, and the code has lapsed.",
  "replacement-refused": "The other wallet was declined.",
  "replacement-allowed": "The other wallet can take the place of this one now.",
  "update-recommended": "A newer version of this app is recommended.", // from the version state, not from a step
};
const UPDATE_ASKED_ON = new Set(["introduction-1", "open-with-pin", "dashboard"]);

/** Messages for actions that the app carries out itself, while the step stays. */
export const WORK_OF_HOST = {
  store: "Here the app opens the store.",
  website: "Here the app opens the website.",
  torch: "Here the app lights the torch.",
  "pause-or-play": "Here the app pauses or plays the animation.",
  "privacy-policy": "Here the app opens the privacy policy.",
};

const DANGEROUS = new Set(["delete-wallet", "confirm-delete", "remove-data"]);
const IN_BAR = {back: "back", help: "help", info: "info"};
const TYPED = new Set(["enter", "scanned", "unreadable", "choose"]); // by the PIN pad, the camera, or an option
const DRAWN_REQUESTS = new Set([
  "approve-sharing", "approve-login", "requested-data", "sharing-details", "about-organisation", "agreements"]);
const ABOUT = {app_version: "App", core_version: "Core", configuration_version: "Configuration"};

/** Draws a screen: {element, pad}. `act(name, words, body)` sends a command. */
export function screen(step, state, act) {
  const title = h("h3", {tabindex: "-1"}, step.title);
  const body = [];
  let pad = null;
  if (step.input === "pin") {
    pad = new PinPad(step.arguments.pin_length ?? 6, (digits) => act("enter", {serial: step.serial}, digits));
    body.push(pad.element);
  } else if (step.input === "scan") {
    body.push(camera(step, act, newApplicant));
  } else if (step.name === "dashboard" || step.name === "card-details") {
    const drawn = cards(step, state, act);
    pad = drawn.pad;
    body.push(...drawn.elements);
  } else if (step.name === "activities" || step.name === "activity-details") {
    body.push(...activities(state.activities));
  } else if (step.sharing && DRAWN_REQUESTS.has(step.name)) {
    body.push(...sharing(step, state, act));
  } else {
    body.push(h("div.art", {}, picture(step)), ...dots(step));
  }
  const element = h("section.screen", {"data-step": step.name, "aria-label": step.title},
    bar(step, act), notices(step, state),
    h("div.content", {}, h("div.words", {}, title, ...message(step)),
      handedOver(step), ...body, whereFrom(step, state, act), ...details(step, state)),
    buttons(step, act));
  return {element, pad};
}

/** Draws a prompt over a screen. */
export function prompt(step, state, act) {
  const title = h("h3", {tabindex: "-1", id: "prompt-title"}, step.title);
  return h("section.prompt", {role: "alertdialog", "aria-modal": "true", "aria-labelledby": "prompt-title",
    "data-step": step.name},
    h("div.art.small", {}, picture(step)), title, ...message(step), ...(step.sharing ? sharing(step, state, act) : []),
    ...details(step, state), buttons(step, act, true));
}

/** Draws a step of progress. */
export function progress(step) {
  return h("section.screen.busy", {"data-step": step.name, "aria-label": step.title, "aria-busy": "true"},
    h("div.content", {}, h("div.spinner", {"aria-hidden": "true"}),
      h("h3", {tabindex: "-1"}, step.title), ...message(step)));
}

/** Draws the paragraphs of a message; if one has a second line, its first line is a heading. */
function message(step) {
  return (step.message ?? "").split("\n\n").filter(Boolean).map((paragraph) => {
    const [first, ...rest] = paragraph.split("\n");
    return rest.length === 0 ? h("p.message", {}, first)
      : h("section.paragraph", {}, h("h4", {}, first), h("p.message", {}, rest.join(" ")));
  });
}

/** Makes a button that opens an account on the screen that asks for its code, because the button of the outside world
 * may be out of sight. */
function newApplicant(act) {
  return h("button.plain.new-applicant", {type: "button", onclick: () => act("applicant")}, "New applicant");
}

/** Says where the user gets what the identity proofing asks for. */
function whereFrom(step, {link}, act) {
  if (step.name !== "proofing-start") return null;
  return link ? h("p.hint", {}, "Her code and her licence are ready for the camera.")
    : h("div.hint", {}, h("p", {}, "No account at hand? This opens one, and makes its code and a licence:"),
      newApplicant(act));
}

const choose = (step, action, act) => {
  act("choose", {serial: step.serial, action: action.name}, null, WORK_OF_HOST[action.name]);
};

function bar(step, act) {
  const shown = step.actions.filter((action) => action.name in IN_BAR);
  const button = (action) => h("button.bar-button", {type: "button", "aria-label": action.label,
    "data-action": action.name, title: action.label, onclick: () => choose(step, action, act)},
    draw(IN_BAR[action.name]));
  return h("div.bar", {}, ...shown.filter((each) => each.name === "back").map(button), h("span.space"),
    ...shown.filter((each) => each.name !== "back").map(button));
}

function buttons(step, act, isPrompt = false) {
  const shown = step.actions.filter((action) => !TYPED.has(action.name) && (isPrompt || !(action.name in IN_BAR)));
  const isPad = step.input !== "none";
  const isMenu = step.name === "dashboard";
  const wanted = shown.find((action) => action.name === "obtain-pid")
    ?? shown.find((action) => !DANGEROUS.has(action.name));
  return h(isMenu ? "div.menu" : "div.buttons", {}, ...shown.map((action) => {
    const look = DANGEROUS.has(action.name) ? "danger" : action === wanted && !isPad ? "primary" : "plain";
    return h(`button.${look}`, {type: "button", "data-action": action.name,
      onclick: () => choose(step, action, act)}, action.label);
  }));
}

function notices(step, {version}) {
  const isAsked = version?.grade === "recommend" && UPDATE_ASKED_ON.has(step.name);
  return [...step.notices, ...(isAsked ? ["update-recommended"] : [])].map((name) =>
    h("p.notice", {role: "status", "data-notice": name}, NOTICES[name] ?? name));
}

function dots(step) {
  const number = /^introduction-(\d)$/.exec(step.name)?.[1];
  if (!number) return [];
  return [h("div.pages", {"aria-hidden": "true"}, ...["1", "2", "3"].map((each) =>
    h(each === number ? "span.page.on" : "span.page")))];
}

function handedOver(step) {
  return step.step_kind === "hand-off" && h("p.hint", {}, "Here the app shows a screen of its own, or asks the system. "
    + "Choose the result.");
}

/** Draws the arguments that the message does not contain. */
function details(step, state) {
  const found = [];
  const {blocked_for_ms: blocked, locks_in_ms: locks, failure} = step.arguments;
  if (blocked !== undefined) found.push(countDown(blocked - state.step_age_ms, blocked, "until the next attempt"));
  if (locks !== undefined) found.push(countDown(locks - state.step_age_ms, locks, "until the wallet locks"));
  if (failure !== undefined) found.push(h("p.code", {}, failure));
  const {failed_attempts: wrong, last_failed_at: last} = step.arguments;
  if (wrong !== undefined) {
    found.push(h("p.hint", {}, `Wrong PINs: ${wrong}, the last on ${new Date(last * 1000).toLocaleString()}.`));
  }
  const rows = Object.entries(ABOUT).filter(([name]) => name in step.arguments);
  if (rows.length > 0) {
    found.push(h("dl.facts", {}, ...rows.flatMap(([name, words]) => [
      h("dt", {}, words), h("dd", {}, String(step.arguments[name]))])));
  }
  return found;
}

/** Draws the cards: {elements, pad}. On the details of the first card its owner can show it to a verifier. */
function cards(step, state, act) {
  const all = state.cards ?? [];
  if (all.length === 0) return {elements: [h("p.empty", {}, state.cards ? "No cards yet." : "")], pad: null};
  if (step.name === "dashboard") return {elements: all.map(card), pad: null};
  const form = presentForm(all[0], step.arguments.pin_length ?? 6, act);
  const elements = all.flatMap((one, index) => [
    card(one), cardClaims(one), ...(index === 0 ? [form.element] : [])]);
  return {elements, pad: form.pad};
}
