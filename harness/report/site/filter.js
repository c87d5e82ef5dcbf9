// The filter of the cases of a single file, which is part of the address; and a link into a folded part opens it.

const form = document.getElementById("filter");
const cases = [...document.querySelectorAll("details.case")].map((element) => ({ element, results: element.dataset.results.split("|"), text: "" }));

function filter() {
  const words = form.elements.words.value.toLowerCase().split(/\s+/).filter(Boolean);
  const result = form.elements.result.value;
  let count = 0;
  for (const one of cases) {
    one.text ||= one.element.textContent.toLowerCase();
    one.element.hidden = !((!result || one.results.includes(result)) && words.every((word) => one.text.includes(word)));
    count += !one.element.hidden;
  }
  document.getElementById("status").textContent = `${count} of ${cases.length} cases`;
}

function reveal() {
  const hash = location.hash.slice(1);
  if (hash.startsWith("?")) {
    const given = new URLSearchParams(hash.slice(1));
    for (const name of ["words", "result"]) form.elements[name].value = given.get(name) ?? "";
    filter();
    form.scrollIntoView();
    return;
  }
  const target = document.getElementById(decodeURIComponent(hash));
  for (let part = target; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
  const folded = target?.closest("details");
  if (folded) folded.hidden = false;
  (folded ?? target)?.scrollIntoView();
}

form.hidden = false;
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("input", () => {
  const given = new URLSearchParams({ words: form.elements.words.value, result: form.elements.result.value });
  history.replaceState(null, "", `#?${given}`);
  filter();
});
addEventListener("hashchange", reveal);
filter();
if (location.hash) reveal();
