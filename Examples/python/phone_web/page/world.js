// SPDX-License-Identifier: Apache-2.0
// The outside world: controls for what the user, the operating system, the network and the provider do.

import {h} from "./dom.js";

const FINGERS = {
  cancelled: "closes the prompt",
  "locked-out": "locked out",
  "locked-out-permanently": "locked out for good",
  "not-enrolled": "none enrolled",
  invalidated: "fingers changed",
  unavailable: "sensor unavailable",
};
const POLICIES = {ok: "Supported", recommended: "Update recommended", required: "Update required"};
const LINKS = {
  "https://wallet.example/sharing#v=1&m=link": "share data, without a request",
  "https://wallet.example/issuance#v=1&m=link": "receive a card",
  "https://wallet.example/nonsense": "not valid",
};

export class World {
  #act;
  #state = {};
  #parts = {};

  constructor(parent, act) {
    this.#act = act;
    parent.append(this.#finger(), this.#app(), this.#time(), this.#network(), this.#provider(), this.#link());
  }

  show(state) {
    this.#state = state;
    const parts = this.#parts;
    for (const button of parts.fingers) button.disabled = !state.prompt;
    parts.background.textContent = state.is_background ? "To foreground" : "To background";
    parts.engine.textContent = state.engine === "dead" ? "Start new engine" : "Kill engine";
    parts.rules.value = state.rules;
    parts.policy.value = state.policy;
    parts.airplane.setAttribute("aria-checked", !state.online);
    parts.links.replaceChildren(
      ...(state.link ? [h("option", {value: state.link}, "her code, as a link")] : []),
      ...Object.entries(LINKS).map(([link, words]) => h("option", {value: link}, words)));
    const dead = state.engine !== "alive";
    for (const button of parts.needEngine) button.disabled = dead;
  }

  #group(title, ...controls) {
    return h("fieldset.group", {}, h("legend", {}, title), ...controls);
  }

  #button(words, name, wordsOf = {}, options = {}) {
    const take = () => this.#act(name, typeof wordsOf === "function" ? wordsOf() : wordsOf);
    return h("button", {type: "button", onclick: take, ...options}, words);
  }

  #select(label, options, change) {
    const entries = Object.entries(options).map(([value, words]) => h("option", {value}, words));
    return h("select", {"aria-label": label, onchange: (event) => change(event.target)}, ...entries);
  }

  #finger() {
    const others = this.#select("Other answers of the sensor", {"": "Other …", ...FINGERS}, (select) => {
      this.#act("finger", {word: select.value});
      select.value = "";
    });
    this.#parts.fingers = [
      this.#button("Recognised", "finger", {word: "recognised"}),
      this.#button("Not recognised", "finger", {word: "not-recognised"}),
      others,
    ];
    return this.#group("Finger on the sensor", ...this.#parts.fingers);
  }

  #app() {
    const parts = this.#parts;
    parts.background = this.#button(
      "To background", "background", () => ({is: this.#state.is_background ? "off" : "on"}), {id: "background"});
    parts.engine = h("button", {type: "button", id: "engine", onclick: () => this.#act(
      this.#state.engine === "dead" ? "new-engine" : "kill-engine")}, "Kill engine");
    parts.rules = this.#select("Platform rules; a change restarts it", {android: "Android", ios: "iOS"}, (select) =>
      this.#act("restart", {rules: select.value}));
    parts.rules.id = "rules";
    const restart = this.#button("Restart app", "restart", () => ({rules: this.#state.rules}), {id: "restart"});
    const wipe = this.#button("Wipe", "wipe", {}, {id: "wipe", class: "danger"});
    parts.needEngine = [parts.background, wipe];
    return this.#group("App", parts.background, parts.engine, restart, parts.rules, wipe);
  }

  #time() {
    const steps = [[1, "1 min"], [4, "4 min"], [5, "5 min"], [60, "1 h"]];
    return this.#group("Time passes", ...steps.map(([minutes, words]) =>
      this.#button(`+ ${words}`, "clock", {minutes}, {"data-minutes": minutes})));
  }

  #network() {
    this.#parts.airplane = this.#button(
      "Airplane mode", "airplane", () => ({is: this.#state.online ? "on" : "off"}),
      {role: "switch", "aria-checked": "false", id: "airplane"});
    return this.#group("Network", this.#parts.airplane);
  }

  #provider() {
    this.#parts.policy = this.#select("What the provider says of this version of the app", POLICIES, (select) =>
      this.#act("policy", {name: select.value}));
    this.#parts.policy.id = "policy";
    this.#parts.policy.title = "The app learns it when it starts, or within an hour";
    const applicant = this.#button("New applicant", "applicant", {}, {id: "applicant"});
    return this.#group("Provider", this.#parts.policy, applicant);
  }

  #link() {
    this.#parts.links = h("datalist", {id: "links"});
    const field = h("input", {type: "url", id: "link", list: "links", "aria-label": "Universal link", required: true,
      placeholder: "https://wallet.example/…", autocomplete: "off", spellcheck: "false"});
    const open = h("button", {type: "submit"}, "Open");
    this.#parts.needEngine.push(open);
    const form = h("form", {onsubmit: (event) => {
      event.preventDefault();
      this.#act("link", {link: field.value});
    }}, field, this.#parts.links, open);
    return this.#group("Universal link", form);
  }
}
