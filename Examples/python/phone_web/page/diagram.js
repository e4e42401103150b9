// SPDX-License-Identifier: Apache-2.0
// Draws a use case: its rows from top to bottom, each with its cases, and a line from every case to the row that
// it leads to. Lines forward run on the right, lines back on the left; lines to the same row share a track. A
// destination outside the use case is written next to its case, as in a flow chart on paper.

import {svg} from "./dom.js";

const HEAD = 30, CASE = 21, PADDING = 7, GAP = 16, TRACK = 8, MARGIN = 12;
const CHARACTER = 6.4; // the average width of a character of a case, in pixels; longer texts are cut

/** Draws the diagram, `width` pixels wide; `marks` are {lit: row, walked: Set of rows and cases}. */
export function diagram(flow, marks, width) {
  const rows = placed(flow.rows);
  const lines = linesBetween(rows);
  const back = tracks(lines.filter((line) => line.isBack)), on = tracks(lines.filter((line) => !line.isBack));
  const left = MARGIN + back * TRACK, right = width - MARGIN - on * TRACK;
  const height = rows.at(-1).bottom + GAP;
  const isWalked = (line) => marks.walked.has(line.id);
  const isNext = (line) => line.from.row === marks.lit;
  const weight = (line) => (isWalked(line) ? 2 : isNext(line) ? 1 : 0);
  return svg("svg.diagram", {width, height, role: "img",
    "aria-label": `Diagram of ${flow.use_case} ${flow.title}; the lit row is ${marks.lit ?? "none"}`},
    svg("defs", {}, ...["idle", "next", "walked"].map(arrowHead)),
    ...lines.sort((a, b) => weight(a) - weight(b)).map((line) =>
      path(line, left, right, ["idle", "next", "walked"][weight(line)])),
    ...rows.map((row) => node(row, left, right, marks)));
}

function placed(rows) {
  let top = 4;
  return rows.map((row, index) => {
    const height = HEAD + row.cases.length * CASE + (row.cases.length > 0 ? PADDING : 0);
    const box = {...row, index, top, bottom: top + height};
    top += height + GAP;
    return box;
  });
}

const headOf = (row) => row.top + HEAD / 2;
const caseOf = (row, index) => row.top + HEAD + index * CASE + CASE / 2 - 2;

function linesBetween(rows) {
  const byNumber = new Map(rows.map((row) => [row.row, row]));
  return rows.flatMap((from) => from.cases.flatMap((each, index) => {
    const to = byNumber.get(each.to_row);
    if (!to || to === from) return [];
    const id = `${from.row}${each.letter}`;
    return [{id, from, to, isBack: to.index < from.index, y: caseOf(from, index), track: 0}];
  }));
}

/** Gives the lines to each row a track, shorter lines nearer to the boxes. Returns the number of tracks. */
function tracks(lines) {
  const spans = [...byTarget(lines)].map(([to, all]) => {
    const ends = [headOf(to), ...all.map((line) => line.y)];
    return {all, low: Math.min(...ends), high: Math.max(...ends)};
  }).sort((a, b) => (a.high - a.low) - (b.high - b.low));
  const taken = [];
  for (const span of spans) {
    let track = 0;
    while (taken.some((each) => each.track === track && each.low <= span.high && span.low <= each.high)) track += 1;
    taken.push({...span, track});
    for (const line of span.all) line.track = track;
  }
  return taken.reduce((most, {track}) => Math.max(most, track + 1), 0);
}

function byTarget(lines) {
  const groups = new Map();
  for (const line of lines) groups.set(line.to, [...(groups.get(line.to) ?? []), line]);
  return groups;
}

function path(line, left, right, look) {
  const edge = line.isBack ? left : right, side = line.isBack ? -1 : 1;
  const track = edge + side * (TRACK + line.track * TRACK);
  const end = headOf(line.to), turn = Math.sign(end - line.y) * 4;
  const d = `M${edge} ${line.y} H${track - side * 4} Q${track} ${line.y} ${track} ${line.y + turn} `
    + `V${end - turn} Q${track} ${end} ${track - side * 4} ${end} H${edge + side * 2}`;
  return svg(`path.line.${look}`, {d, "marker-end": `url(#head-${look})`, "data-case": line.id});
}

function arrowHead(look) {
  return svg("marker", {id: `head-${look}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 6, markerHeight: 6,
    orient: "auto-start-reverse"}, svg(`path.head.${look}`, {d: "M0 0 L8 4 L0 8 Z"}));
}

function node(row, left, right, {lit, walked}) {
  const isWalked = walked.has(row.row) || row.cases.some((each) => walked.has(`${row.row}${each.letter}`));
  const look = row.row === lit ? "node.lit" : isWalked ? "node.walked" : "node";
  const width = right - left;
  return svg(`g.${look}.${row.kind.replaceAll(" ", "-")}`, {"data-row": row.row},
    svg("rect.box", {x: left, y: row.top, width, height: row.bottom - row.top,
      rx: row.kind === "determination" ? 13 : 5}),
    svg("text.row", {x: left + 10, y: row.top + 20}, row.row),
    svg("text.words", {x: left + 20 + row.row.length * 9, y: row.top + 20}, cut(row.words, (width - 140) / CHARACTER)),
    svg("text.kind", {x: right - 10, y: row.top + 20, "text-anchor": "end"}, row.kind),
    ...row.cases.map((each, index) => caseLine(row, each, index, left, right, walked)));
}

function caseLine(row, each, index, left, right, walked) {
  const id = `${row.row}${each.letter}`, y = caseOf(row, index) + 4;
  const letters = (right - left - 60) / CHARACTER;
  const to = cut(destination(row, each), Math.max(5, Math.min(26, letters - each.words.length)));
  const rest = letters - to.length;
  return svg(walked.has(id) ? "g.case.walked" : "g.case", {"data-case": id},
    svg("title", {}, `${id} ${each.words} → ${destination(row, each)}`),
    walked.has(id) && svg("circle.mark", {cx: left + 12, cy: y - 4, r: 3.5}),
    svg("text.letter", {x: left + 24, y}, each.letter),
    svg("text", {x: left + 40, y}, cut(each.words, rest)),
    svg("text.to", {x: right - 10, y, "text-anchor": "end"}, to));
}

function destination(row, each) {
  if (each.to_row === row.row) return "stays";
  return each.to_row ?? each.to;
}

const cut = (words, length) => (words.length <= length ? words : `${words.slice(0, Math.max(1, length - 1))}…`);
