// SPDX-License-Identifier: Apache-2.0
// Draws a card in words for its owner, the most important claims first.

import {h} from "./dom.js";
import {PinPad} from "./pin-pad.js";

const LABELS = {
  family_name: "Family name",
  given_name: "Given names",
  birthdate: "Born",
  age_equal_or_over: "18 or older",
  "age_equal_or_over.18": "18 or older",
  issuing_authority: "Issued by",
  issuing_country: "Country of issue",
  "verification.evidence": "Proven with",
  "verification.barcode_claimed": "Barcode read, says the wallet",
  "verification.account_match": "Matches the account",
  "verification.issuing_source_match": "Confirmed by its issuer",
  "verification.demonstration": "Demonstration only",
};
const WORDS = {true: "yes", false: "no", driving_permit: "a driver’s licence", idcard: "an identity card"};

const inWords = (value) => {
  const words = (each) => (typeof each === "object" ? JSON.stringify(each) : WORDS[each] ?? String(each));
  return (Array.isArray(value) ? value : [value]).map(words).join(", ");
};

/** Flattens {"a": {"b": 1}} to [["a.b", 1]], in the order of the labels; claims without a label come last. */
export function claimsInOrder(claims) {
  const flat = [];
  const flatten = (value, name) => {
    if (value !== null && typeof value === "object" && !Array.isArray(value)) {
      for (const [inner, each] of Object.entries(value)) flatten(each, name ? `${name}.${inner}` : inner);
    } else {
      flat.push([name, value]);
    }
  };
  flatten(claims, "");
  const order = Object.keys(LABELS);
  const rank = ([name]) => (order.includes(name) ? order.indexOf(name) : order.length);
  return flat.sort((a, b) => rank(a) - rank(b));
}

export const label = (name) => LABELS[name] ?? name.replaceAll("_", " ").replaceAll(".", ": ");

export function claimList(claims) {
  return h("dl.facts", {}, ...claimsInOrder(claims).flatMap(([name, value]) => [
    h("dt", {}, label(name)), h("dd", {"data-claim": name}, inWords(value))]));
}

/** The states in which a card cannot be used, in words. */
const STATES = {
  "not-yet-valid": "not valid yet", expired: "expired", revoked: "withdrawn", suspended: "suspended",
  "key-lost": "this device has lost its key", unreadable: "damaged; obtain it anew",
};

/** The states in which its owner should know more of a card that can be used. */
const WARNINGS = {
  "expires-soon": "expires soon", unchecked: "not checked lately", untrusted: "its issuer is not trusted any more",
};

export const kindOf = (shown) => (shown.id === "pid" ? "Digital ID" : shown.name ?? (shown.issuer || "A card"));

/** The values at a path, in words; null in it stands for all elements of an array. */
export function claimsAt(claims, path) {
  const values = path.reduce((found, part) => found.flatMap((value) => {
    if (part === null) return Array.isArray(value) ? value : [];
    return value !== null && typeof value === "object" && part in value ? [value[part]] : [];
  }), [claims]);
  return values.map(inWords).join(", ");
}

/** Draws the card itself. */
export function card(shown) {
  const {family_name: family = "", given_name: given = ""} = shown.claims;
  const kind = kindOf(shown);
  const until = shown.expires_at ? `valid until ${shown.expires_at.slice(0, 10)}` : "";
  const unusable = STATES[shown.state];
  const state = unusable ?? WARNINGS[shown.state];
  return h(unusable ? "article.card.expired" : "article.card",
    {"aria-label": `Card: ${shown.id === "pid" ? "digital ID" : kind}`},
    h("p.kind", {}, kind),
    h("p.owner", {}, `${given} ${family}`.trim()),
    h("p.until", {}, `${until}${state ? ` (${state})` : ""}`.trim()));
}

export function cardClaims(shown) {
  return claimList(shown.claims);
}

/** Draws the form in which the user chooses what a verifier may see, and confirms it with the PIN:
 * {element, pad}. The pad is shown once the claims are chosen. */
export function presentForm(shown, pinLength, act) {
  const boxes = shown.disclosable.map((path) => ({path, box: h("input", {type: "checkbox",
    id: `claim-${path.join(".")}`, checked: path[0] === "age_equal_or_over"})}));
  const pad = new PinPad(pinLength, (digits) => {
    const paths = boxes.filter(({box}) => box.checked).map(({path}) => path);
    return act("present", {card: shown.id, paths: JSON.stringify(paths)}, digits);
  });
  const confirm = h("div.confirm", {hidden: true}, h("p.message", {}, "Enter your PIN to show these claims."),
    pad.element);
  const ask = h("button.primary", {type: "button", id: "present", onclick: () => {
    confirm.hidden = false;
    ask.remove();
    confirm.scrollIntoView?.({block: "nearest"});
  }}, "Show these only");
  const element = h("fieldset.present", {}, h("legend", {}, "Show to a verifier"),
    ...boxes.map(({path, box}) => h("label", {for: box.id}, box, ` ${label(path.join("."))}`)), ask, confirm);
  // The keyboard reaches the pad only while it is shown.
  return {element, pad: {press: (key) => !confirm.hidden && pad.press(key), forget: () => pad.forget()}};
}
