// SPDX-License-Identifier: Apache-2.0
// Puts the page together: three columns fed by one stream of events.

import {flows, listen, order} from "./feed.js";
import {Flow} from "./flow.js";
import {Phone} from "./phone.js";
import {Wire} from "./wire.js";
import {World} from "./world.js";

const byId = (id) => document.getElementById(id);

function chooseTheme() {
  const button = byId("theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (document.documentElement.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";
  const say = () => (button.textContent = isDark() ? "Light" : "Dark");
  const kept = localStorage.getItem("theme");
  if (kept) document.documentElement.dataset.theme = kept;
  button.addEventListener("click", () => {
    const chosen = isDark() ? "light" : "dark";
    document.documentElement.dataset.theme = chosen;
    localStorage.setItem("theme", chosen);
    say();
  });
  system.addEventListener("change", say);
  say();
}

// Narrow screens show one column at a time.
function chooseColumns() {
  const tabs = [...document.querySelectorAll("[role=tab]")];
  const show = (tab) => {
    document.querySelector("main").dataset.tab = tab.id.replace("tab-", "");
    for (const each of tabs) {
      each.setAttribute("aria-selected", each === tab);
      each.tabIndex = each === tab ? 0 : -1;
    }
  };
  for (const [index, tab] of tabs.entries()) {
    tab.addEventListener("click", () => show(tab));
    tab.addEventListener("keydown", (event) => {
      const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
      if (step === undefined) return;
      const next = tabs[(index + step + tabs.length) % tabs.length];
      next.focus();
      show(next);
    });
  }
  show(tabs[0]);
}

async function start() {
  chooseTheme();
  chooseColumns();
  const phone = new Phone(byId("phone"), order);
  const act = async (name, words, body) => {
    const answer = await order(name, words, body);
    phone.toast(answer);
    return answer;
  };
  phone.act = act;
  const world = new World(byId("world"), act);
  const flow = new Flow(byId("flow"), await flows());
  const wire = new Wire(byId("wire"));
  listen({
    phone: (state) => {
      phone.show(state);
      world.show(state);
      flow.show(state);
      byId("tab-flow").textContent = state.step ? `Flow ${state.step.use_case} ${state.step.row}` : "Flow";
    },
    wire: (line) => wire.add(line),
    lost: (why) => phone.lose(why),
  });
}

start();
