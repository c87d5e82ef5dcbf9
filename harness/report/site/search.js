"use strict";
// The search page. The parts of the index add their entries: kind, title, path, text, and perhaps more
// words that find it; for a case, the text is a list with
// the id, the text and perhaps the anchor of each case of a suite.

const parityIndex = [];
const MOST = 100;

addEventListener("DOMContentLoaded", () => {
  const form = document.getElementById("search");
  const list = document.getElementById("found");
  const status = document.getElementById("status");
  const single = parityIndex.flatMap(([kind, title, path, text, more = ""]) =>
    kind === "case" ? text.map(([id, words, anchor]) => [kind, `${title}/${id}`, `${path}#${anchor ?? id}`, words]) : [[kind, title, path, text, more]],
  );
  const entries = single.map(([kind, title, path, text, more = ""]) => ({ kind, title, path, text, low: `${title}\n${text}\n${more}`.toLowerCase(), name: title.toLowerCase() }));

  // The lower, the better: the whole title, its beginning, the beginning of its last part, elsewhere in it, the text.
  function rank(entry, words) {
    let sum = entry.kind === "case" ? 0.5 : 0;
    for (const word of words) {
      const at = entry.name.indexOf(word);
      if (entry.name === word) sum -= 4;
      else if (at === 0) sum -= 3;
      else if (at > 0) sum -= /[/. -]/.test(entry.name[at - 1]) ? 2 : 1;
    }
    return sum;
  }

  function item(entry) {
    const line = document.createElement("li");
    const link = Object.assign(document.createElement("a"), { href: entry.path, textContent: entry.title });
    const kind = Object.assign(document.createElement("span"), { className: "kind", textContent: entry.kind });
    const text = Object.assign(document.createElement("p"), { className: "quiet", textContent: entry.text });
    line.append(kind, " ", link, text);
    return line;
  }

  function show() {
    const words = form.elements.words.value.toLowerCase().split(/\s+/).filter(Boolean);
    const kind = form.elements.kind.value;
    const found = words.length || kind ? entries.filter((one) => (!kind || one.kind === kind) && words.every((word) => one.low.includes(word))) : [];
    const ranked = found.map((entry) => [rank(entry, words), entry]).sort((one, other) => one[0] - other[0]);
    list.replaceChildren(...ranked.slice(0, MOST).map(([, entry]) => item(entry)));
    const more = found.length > MOST ? `, the first ${MOST} of them below` : "";
    status.textContent = words.length || kind ? `${found.length} found${more}` : `${entries.length} entries`;
  }

  const given = new URLSearchParams(location.search);
  form.elements.words.value = given.get("q") ?? "";
  form.elements.kind.value = given.get("kind") ?? "";
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    const address = new URLSearchParams({ q: form.elements.words.value, kind: form.elements.kind.value });
    history.replaceState(null, "", `?${address}`);
    show();
  });
  show();
  form.elements.words.focus();
});
