"use strict";
// The search field of each page, a button that copies each command, `/` for the search field, tables that sort and filter,
// and folded lists that print.

const header = document.querySelector("[data-search]");
if (header) {
  const field = Object.assign(document.createElement("input"), { type: "search", name: "q", placeholder: "Search" });
  field.setAttribute("aria-label", "Search everything");
  const form = Object.assign(document.createElement("form"), { action: header.dataset.search });
  form.setAttribute("role", "search");
  form.append(field, Object.assign(document.createElement("button"), { textContent: "Search" }));
  header.append(form);
}

for (const command of document.querySelectorAll(".command")) {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Copy" });
  const text = command.textContent;
  button.setAttribute("aria-label", `Copy: ${text.slice(0, 120)}`);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(command);
      button.textContent = "Selected";
    }
    setTimeout(() => (button.textContent = "Copy"), 2000);
  });
  command.after(button);
}

addEventListener("keydown", (event) => {
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  document.querySelector("main input[type=search], header input[type=search]")?.focus();
});

// A click on a heading sorts the rows by its column, numbers from the largest, a second click the other way round.
function sort(table, at, heading) {
  const way = heading.getAttribute("aria-sort") === (heading.className === "number" ? "descending" : "ascending") ? "other" : "first";
  const down = (heading.className === "number") === (way === "first");
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", down ? "descending" : "ascending");
  const value = (row) => row.cells[at].textContent.trim();
  const number = (row) => Number(value(row).replace(/,/g, "").match(/^[\d.]+/)?.[0] ?? -1);
  const order = heading.className === "number" ? (a, b) => number(a) - number(b) : (a, b) => value(a).localeCompare(value(b), "en", { numeric: true });
  const body = table.tBodies[0];
  body.append(...[...body.rows].sort((a, b) => (down ? order(b, a) : order(a, b))));
}

for (const table of document.querySelectorAll("table.sortable")) {
  [...table.tHead.rows[0].cells].forEach((heading, at) => {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: heading.textContent });
    button.addEventListener("click", () => sort(table, at, heading));
    heading.replaceChildren(button);
  });
  if (table.tBodies[0].rows.length < 20 || table.closest(".tight")) continue;
  const field = Object.assign(document.createElement("input"), { type: "search", placeholder: "Filter the rows" });
  field.setAttribute("aria-label", `Filter: ${table.parentElement.getAttribute("aria-label")}`);
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of table.tBodies[0].rows) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
  });
  table.parentElement.before(field);
}

addEventListener("beforeprint", () => {
  for (const folded of document.querySelectorAll("details:not([open])")) folded.open = true;
});
