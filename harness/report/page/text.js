// Values as text nodes. Nothing from a record becomes markup: this file creates each element and fills it with text.

const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (key in made && key !== "list") made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== ""));
  return made;
}

// The escape of an invisible character, or of one that moves others.
function escaped(character) {
  const short = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }[character];
  const code = character.codePointAt(0);
  return short ?? (code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`);
}

// Text with its invisible characters as escapes. With `lines`, line feeds and tabs are kept.
function visible(text, lines = false) {
  return text.replace(UNSEEN, (one) => (lines && (one === "\n" || one === "\t") ? one : escaped(one)));
}

// The nodes of a written text: text between backticks is code.
function prose(text) {
  const parts = text.split("`");
  if (parts.length % 2 === 0) return [visible(text)];
  return parts.map((part, at) => (at % 2 ? element("code", {}, visible(part)) : visible(part)));
}

// The nodes of a path, which breaks before a step.
function breakable(path) {
  return visible(path)
    .split(/(?=[.[])/)
    .flatMap((step, index) => (index ? [document.createElement("wbr"), step] : [step]));
}

function json(value) {
  if (value === null || typeof value !== "object") return visible(JSON.stringify(value));
  if (Array.isArray(value)) return `[${value.map(json).join(", ")}]`;
  return `{${Object.entries(value).map(([key, item]) => `${json(key)}: ${json(item)}`).join(", ")}}`;
}

// The path of a member, in the notation of run records.
function member(path, key) {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(key) ? `${path}.${key}` : `${path}[${ascii(key)}]`;
}

function ascii(text) {
  return JSON.stringify(text).replace(/[^\x20-\x7e]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

const ABSENT = "(absent)";
const ONE_LINE = 60;
const MAX_LINES = 400;

function short(value) {
  return JSON.stringify(value).length <= ONE_LINE;
}

// A value as lines of JSON. `marks` has the paths that differ, and those of containers that lack something.
function valueLines(value, marks, path = "$", indent = "", name = "", tail = "", within = false) {
  within ||= marks.differing.has(path);
  const marked = within || marks.lacking.has(path);
  const container = value !== null && typeof value === "object" && Object.keys(value).length > 0;
  if (!container || (within || !marks.below(path)) && short(value)) {
    return [{ text: `${indent}${name}${json(value)}${tail}`, marked }];
  }
  const list = Array.isArray(value);
  const keys = Object.keys(value);
  const lines = [{ text: `${indent}${name}${list ? "[" : "{"}`, marked }];
  keys.forEach((key, index) => {
    const comma = index + 1 < keys.length ? "," : "";
    const inner = list ? `${path}[${key}]` : member(path, key);
    lines.push(...valueLines(value[key], marks, inner, `${indent}  `, list ? "" : `${json(key)}: `, comma, within));
  });
  lines.push({ text: `${indent}${list ? "]" : "}"}${tail}`, marked: within });
  return lines;
}

// The marks of several results, joined for one side.
function marksOf(results, side) {
  const differing = new Set(results.flatMap((result) => result.marks?.[side].differing ?? []));
  const lacking = new Set(results.flatMap((result) => result.marks?.[side].lacking ?? []));
  const all = [...differing, ...lacking];
  const below = (path) => all.some((one) => one.startsWith(`${path}.`) || one.startsWith(`${path}[`));
  return { differing, lacking, below };
}

// The lines as a block. A very long value is cut to the lines around the marks.
function block(lines, side) {
  const pre = element("pre", { className: `lines ${side}`, tabIndex: 0 });
  const shown = lines.length <= MAX_LINES ? lines : around(lines);
  for (const line of shown) {
    const span = element("span", { className: line.marked ? "differs" : "" }, line.text);
    if (line.marked) span.prepend(element("b", { className: "hidden" }, "differs: "));
    pre.append(span);
  }
  return pre;
}

function around(lines) {
  const near = new Set();
  lines.forEach((line, index) => {
    if (line.marked) for (let one = index - 3; one <= index + 3; one += 1) near.add(one);
  });
  const kept = lines.map((_, index) => index).filter((index) => near.size === 0 || near.has(index)).slice(0, MAX_LINES);
  const shown = [];
  kept.forEach((index, number) => {
    const skipped = index - (number ? kept[number - 1] : -1) - 1;
    if (skipped) shown.push({ text: `… ${skipped} lines`, marked: false });
    shown.push(lines[index]);
  });
  const left = lines.length - 1 - kept[kept.length - 1];
  return left ? [...shown, { text: `… ${left} lines`, marked: false }] : shown;
}

// Two texts, each as [common beginning, middle that differs, common end].
function parted(wanted, got) {
  const [one, other] = [[...wanted], [...got]];
  const most = Math.min(one.length, other.length);
  let head = 0;
  while (head < most && one[head] === other[head]) head += 1;
  let tail = 0;
  while (tail < most - head && one[one.length - 1 - tail] === other[other.length - 1 - tail]) tail += 1;
  const cut = (list) => [list.slice(0, head), list.slice(head, list.length - tail), list.slice(list.length - tail)];
  return [cut(one), cut(other)].map((parts) => parts.map((part) => visible(part.join(""))));
}
