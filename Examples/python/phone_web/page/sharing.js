// SPDX-License-Identifier: Apache-2.0
// Draws what a relying party asks for, and the history of it.

import {claimsAt, kindOf, label} from "./cards.js";
import {h} from "./dom.js";

const WARNINGS = {
  "not-registered": "Nobody vouches for what this organisation asks for.",
  "asks-for-more": "It asks for more than it is registered for.",
  "host-not-certified": "Its certificate does not name the website.",
  "card-expires-soon": "The card expires soon.",
  "copies-used-up": "Others have seen the copy of this card that is left, and could recognise you together.",
};
const RESULTS = {
  shared: "shared", "may-have-been-shared": "may have been shared", stopped: "you stopped", failed: "failed",
};

const facts = (rows) => h("dl.facts", {}, ...rows.filter(([, value]) => value).flatMap(([name, value]) => [
  h("dt", {}, name), h("dd", {}, value)]));

const named = (card, cards) => {
  const found = (cards ?? []).find((each) => each.id === card);
  return found ? kindOf(found) : card;
};

/** Draws a claim with its value, if the cards are there. */
function claim(path, card, cards) {
  const found = (cards ?? []).find((each) => each.id === card);
  const name = path.filter((part) => part !== null).join(".");
  return [h("dt", {}, label(name)), h("dd", {"data-claim": name}, found ? claimsAt(found.claims, path) : "")];
}

function chosen(sharing, cards) {
  return sharing.options.filter((option) => option.is_chosen && option.card).map((option) =>
    h("article.shared", {"data-card": option.card},
      h("h4", {}, named(option.card, cards)),
      option.paths.length === 0 ? h("p.hint", {}, "Only what everybody sees of this card.")
        : h("dl.facts", {}, ...option.paths.flatMap((path) => claim(path, option.card, cards)))));
}

function missing(sharing) {
  return sharing.missing.map((each) => h("article.shared", {},
    h("h4", {}, each.types.join(", ") || "Any card"),
    h("p", {}, each.paths.map((path) => label(path.filter((part) => part !== null).join("."))).join(", "))));
}

function party(sharing) {
  const {organisation, organisation_id: identifier, authority, host, registrations, shared_before: before} = sharing;
  return facts([
    ["Organisation", organisation], ["Identifier", identifier], ["Certified by", authority], ["Website", host],
    ...registrations.flatMap(({purposes, privacy_policy: policy}) => [
      ["Purpose", Object.values(purposes)[0]], ["Privacy policy", policy]]),
    ["Shared before", before > 0 ? `${before} times` : "never"]]);
}

/** The elements for a step about a request. */
export function sharing(step, state, act) {
  const request = step.sharing;
  const warnings = request.warnings.map((name) => h("p.notice", {"data-warning": name}, WARNINGS[name] ?? name));
  switch (step.name) {
    case "approve-sharing": case "approve-login": case "requested-data": case "sharing-details":
      return [...warnings, ...chosen(request, state.cards)];
    case "about-organisation": case "agreements": return [party(request)];
    case "missing-data-details": return missing(request);
    case "choose-card":
      return [h("div.buttons", {}, ...request.options.map((option, index) => h(
        option.is_chosen ? "button.primary" : "button.plain", {type: "button", "data-option": String(index),
          onclick: () => act("option", {serial: step.serial, option: index})},
        option.card ? named(option.card, state.cards) : `Combination ${index + 1}`)))];
    default: return [];
  }
}

/** Draws the history. */
export function activities(all) {
  if (!all || all.length === 0) return [h("p.empty", {}, all ? "Nothing yet." : "")];
  return all.map((each) => h("article.shared", {"data-result": each.result},
    h("h4", {}, each.organisation ?? each.host),
    h("p", {}, `${new Date(each.at).toLocaleString()}: ${RESULTS[each.result] ?? each.result}`),
    h("p.hint", {}, each.items.flatMap((item) => item.paths).map((path) => label(path.join("."))).join(", "))));
}
