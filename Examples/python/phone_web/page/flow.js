// SPDX-License-Identifier: Apache-2.0
// The flow: shows the use case and the row that the wallet is at, and the rows that led there.

import {diagram} from "./diagram.js";
import {h} from "./dom.js";

const TRAIL = 10; // number of rows that are remembered

export class Flow {
  #flows;
  #serial = null;
  #trail = [];
  #shown = null; // another use case that the user looks at; null follows the phone
  #step = null;
  #row = h("p.row-id", {id: "row-id"}, "—");
  #name = h("p.step-name", {id: "step-name"});
  #chips = h("ol.trail", {"aria-label": "Rows that were just walked"});
  #title = h("h3.flow-name");
  #follow = h("button", {type: "button", onclick: () => this.#look(null)}, "Follow the phone");
  #canvas = h("div.canvas", {tabindex: "0", role: "region", "aria-label": "Diagram of the use case"});

  constructor(parent, flows) {
    this.#flows = flows;
    parent.append(
      h("div.where", {role: "status"}, this.#row, this.#name), this.#chips,
      h("div.flow-head", {}, this.#title, this.#follow), this.#canvas);
    this.#follow.hidden = true;
    let drawn = 0;
    new ResizeObserver(() => {
      if (this.#step && drawn !== this.#width()) this.#draw();
      drawn = this.#width();
    }).observe(this.#canvas);
  }

  show({step}) {
    if (!step || step.serial === this.#serial) return;
    this.#serial = step.serial;
    this.#step = step;
    this.#shown = null;
    this.#row.textContent = `${step.use_case} ${step.row}`;
    this.#name.textContent = `${step.name} · ${step.step_kind}`;
    this.#trail = [...this.#trail.map((each) => ({...each, isNew: false})),
      ...step.trail.map((id) => ({id, isNew: true}))].slice(-TRAIL);
    this.#chips.replaceChildren(...this.#trail.map(({id, isNew}) => h(isNew ? "li.new" : "li", {},
      h("button", {type: "button", title: "Look at this use case", onclick: () => this.#look(id.split(" ")[0])}, id))));
    this.#chips.scrollLeft = this.#chips.scrollWidth;
    this.#draw();
  }

  #look(useCase) {
    this.#shown = useCase === this.#step?.use_case ? null : useCase;
    this.#draw();
  }

  #draw() {
    const useCase = this.#shown ?? this.#step.use_case;
    const flow = this.#flows[useCase];
    this.#follow.hidden = this.#shown === null;
    this.#title.textContent = flow ? `${useCase} ${flow.title}` : useCase;
    if (!flow) {
      this.#canvas.replaceChildren(h("p.hint", {}, "There is no table of this use case."));
      return;
    }
    const walked = new Set(this.#trail.filter(({id, isNew}) => isNew && id.startsWith(`${useCase} `))
      .map(({id}) => id.slice(useCase.length + 1)));
    const lit = this.#shown === null ? this.#step.row : null;
    this.#canvas.replaceChildren(diagram(flow, {lit, walked}, this.#width()));
    this.#reveal();
  }

  /** The width of the diagram: that of the canvas, so that letters keep their size. */
  #width() {
    return Math.min(640, Math.max(320, this.#canvas.clientWidth - 16));
  }

  /** Scrolls the lit row, or the first walked one, into the middle. */
  #reveal() {
    const node = this.#canvas.querySelector(".node.lit") ?? this.#canvas.querySelector(".node.walked");
    if (!node) return;
    const box = node.getBoundingClientRect(), frame = this.#canvas.getBoundingClientRect();
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.#canvas.scrollBy({
      top: box.top - frame.top - Math.max(20, (frame.height - box.height) / 2),
      behavior: isCalm ? "auto" : "smooth",
    });
  }
}
