// SPDX-License-Identifier: Apache-2.0
// Makes elements. Text stays text: nothing here turns a string into markup.

/** Makes an element with its children: h("p.note", {id: "x", onclick: f}, "text", element, null). */
export function h(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  element.classList.add(...classes);
  return fill(element, attributes, children);
}

/** Makes an element of SVG in the same way. */
export function svg(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  element.classList.add(...classes);
  return fill(element, attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Makes a decorative drawing of one path in a 24 by 24 box. */
export function icon(path, name = "icon") {
  return svg(`svg.${name}`, {viewBox: "0 0 24 24", "aria-hidden": "true"}, svg("path", {d: path}));
}
