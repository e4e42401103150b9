// SPDX-License-Identifier: Apache-2.0
// The wire: shows what passes between the app, the core, the platform and the provider. The server of this page has
// removed all secrets and personal data from it.

import {h} from "./dom.js";

const KINDS = {event: "Events", bridge: "Bridges", request: "Provider"};
const PARTIES = {
  event: ["core", "app"], bridge: ["core", "platform"], request: ["core", "provider"],
  app: ["system", "app"], host: ["app", "core"], time: ["world", "core"],
};
const BEFORE_NAME = /^\/v\d+\/(instructions\/)?/;
const LONGEST = 1000; // maximum number of lines on the page

export class Wire {
  #lines = new Map();
  #list = h("ol.lines", {"aria-label": "What passed, the newest last", tabindex: "0"});
  #follows = true; // whether the newest line is kept in view

  constructor(parent) {
    for (const kind of ["wheel", "touchmove", "keydown", "pointerup"]) {
      this.#list.addEventListener(kind, () => requestAnimationFrame(() => (this.#follows = this.#isAtEnd())));
    }
    new ResizeObserver(() => this.#follow()).observe(this.#list);
    parent.append(
      h("fieldset.filter", {}, h("legend.visually-hidden", {}, "What is shown"),
        ...Object.entries(KINDS).map(([kind, words]) => h("label", {}, h("input", {type: "checkbox", checked: true,
          onchange: (event) => this.#filter(kind, event.target.checked)}), words)),
        h("button.quiet", {type: "button", onclick: () => this.#clear()}, "Clear")),
      this.#list,
      h("p.legend", {}, "This column never gets sealed bodies, keys, signatures, identifiers and personal data, only "
        + "their length, and the purpose of a key. PINs never leave the phone."));
  }

  add(line) {
    const known = this.#lines.get(line.key);
    const drawn = draw(line);
    if (known) {
      drawn.querySelector("details").open = known.querySelector("details").open;
      known.replaceWith(drawn);
    } else {
      this.#list.append(drawn);
    }
    this.#lines.set(line.key, drawn);
    if (this.#lines.size > LONGEST) {
      const [oldest, element] = this.#lines.entries().next().value;
      element.remove();
      this.#lines.delete(oldest);
    }
    this.#follow();
  }

  #isAtEnd() {
    return this.#list.scrollHeight - this.#list.scrollTop - this.#list.clientHeight < 60;
  }

  #follow() {
    if (this.#follows) this.#list.scrollTop = this.#list.scrollHeight;
  }

  #filter(kind, isShown) {
    this.#list.classList.toggle(`without-${kind}`, !isShown);
  }

  #clear() {
    this.#list.replaceChildren();
    this.#lines.clear();
  }
}

function draw(line) {
  const [from, to] = PARTIES[line.kind];
  const [what, mark] = summary(line);
  const path = h("span.path", {}, `${from} → ${to}`);
  return h(`li.line.${line.kind}`, {"data-key": line.key}, h("details", {},
    h("summary", {}, h("time", {}, line.at), path, h("span.what", {}, what), mark),
    details(line)));
}

function summary(line) {
  switch (line.kind) {
    case "event": return [eventWords(line.event), null];
    case "bridge": {
      const look = {asked: "open", OK: "good"}[line.what] ?? "bad";
      return [`${line.function}(${line.identifier})`, badge(line.what, look)];
    }
    case "request": return [`${line.method} ${line.path.replace(BEFORE_NAME, "")}`, requestBadge(line)];
    default: return [line.text, null];
  }
}

function eventWords(event) {
  switch (event.kind) {
    case "step": return `${event.use_case} ${event.row} ${event.name}`;
    case "lock_state": return event.locks_in_ms ? `locks in ${Math.round(event.locks_in_ms / 1000)} s`
      : event.is_locked ? "locked" : "unlocked";
    case "version_state": return `version: ${event.grade}`;
    case "completion": return `request ${event.request}: ${result(event)}`;
    default: return event.kind;
  }
}

function result(event) {
  const what = ["cards", "presentations", "activities", "sharing"].find((name) => name in event);
  return event.pin?.outcome ?? what ?? event.status_name;
}

function requestBadge(line) {
  if (line.status === undefined) return badge(line.outcome || "waiting", line.outcome ? "bad" : "open");
  const isGood = line.status < 400 && line.is_verified !== false;
  const words = line.outcome || String(line.status);
  return badge(line.is_verified ? `${words} ✓` : words, isGood ? "good" : "bad");
}

const badge = (words, look) => h(`span.badge.${look}`, {}, words);

function details(line) {
  switch (line.kind) {
    case "event": return tree(line.event);
    case "bridge": return tree({function: line.function, key: line.identifier || "none", answer: line.what,
      took_ms: line.took_ms ?? "…"});
    case "request": return h("div", {},
      part(`${line.method} ${line.path}, ${line.bytes} bytes`, line.request),
      line.status === undefined ? null
        : part(`Answer ${line.status}, ${line.answer_bytes} bytes, ${line.took_ms} ms`, line.answer));
    default: return h("p", {}, line.text);
  }
}

const part = (title, content) => h("div.part", {}, h("h4", {}, title), content === null ? null : tree(content));

/** Draws objects as lists of their members. Members {hidden: n} come last, only with their length. */
function tree(value) {
  if (value === null || typeof value !== "object") return h("span.value", {}, String(value));
  if ("hidden" in value) return h("p.hidden-value", {}, `… ${value.hidden} bytes`);
  if ("sealed" in value) return h("p.hidden-value", {}, `sealed … ${value.sealed} bytes`);
  if ("jws" in value) return signed(value);
  if (Array.isArray(value)) {
    return value.every((each) => typeof each !== "object")
      ? h("span.value", {}, value.join(", ") || "none") : h("div", {}, ...value.map(tree));
  }
  return members(value);
}

function members(object, more = []) {
  const isHidden = ([, value]) => value !== null && typeof value === "object" && "hidden" in value;
  const all = Object.entries(object);
  const lengths = [...all.filter(isHidden).map(([name, {hidden}]) => [name, hidden]), ...more];
  return h("dl.tree", {},
    ...all.filter((each) => !isHidden(each)).flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, tree(value))]),
    ...(lengths.length > 0 ? [h("dt", {}, "…"), h("dd.hidden-value", {}, inWords(lengths))] : []));
}

const inWords = (lengths) => lengths.map(([name, length]) => `${name} ${length} bytes`).join(", ");

function signed({jws, check, who}) {
  const verdicts = {
    verified: ["good", `signature verified here, with ${who}`],
    failed: ["bad", `the signature is not of ${who}`],
    elsewhere: ["open", `the signature is checked by ${who}`],
  };
  const [look, words] = verdicts[check];
  return h("div.jws", {}, badge(words, look),
    members({...jws.header, ...jws.claims}, [["signature", jws.signature]]));
}
