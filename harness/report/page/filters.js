// Filters of the list of cases. They are part of the address, behind `#?`, so that a link can set them.

const FIELDS = ["implementation", "section", "operation", "requirement", "group", "part", "mark", "change", "text"];
const NOT_STARTED = "error/start";

function filterForm(data, changed) {
  const form = document.getElementById("filters");
  const fill = (name, first, values) => {
    form.elements[name].append(...[["", first], ...values.map((value) => [value, value])].map(([value, text]) => element("option", { value }, visible(text))));
  };
  const sorted = (values) => [...new Set(values)].sort();
  const sections = sorted(data.cases.map((one) => one.section));
  fill("implementation", "any", data.implementations);
  fill("section", "any", sorted([...sections, ...sections.map((section) => section.split("/")[0])]));
  fill("operation", "any", sorted(data.cases.map((one) => one.operation)));
  const changes = sorted(data.cases.flatMap((one) => Object.values(one.results).map((result) => result.change ?? ""))).filter(Boolean);
  const parts = sorted(data.cases.flatMap((one) => Object.values(one.results).flatMap((result) => result.parts ?? [])));
  const optional = { group: data.groups, part: parts, mark: data.marks.filter((mark) => markedAs(data, mark)), change: changes };
  for (const [name, values] of Object.entries(optional)) {
    fill(name, "any", values);
    document.getElementById(`${name}-label`).hidden = values.length === 0;
  }
  const ids = [...Object.keys(data.requirements), ...Object.keys(data.rulings)];
  document.getElementById("requirements").append(...ids.map((value) => element("option", { value })));
  const anyNotStarted = data.cases.some((one) => Object.values(one.results).some((result) => !started(result)));
  const verdicts = anyNotStarted ? [...data.verdicts, NOT_STARTED] : data.verdicts;
  document.getElementById("verdicts").append(...verdicts.map((verdict) => checkbox(data, verdict)));
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", changed);
  document.getElementById("clear").addEventListener("click", () => {
    setFilters({});
    changed();
    form.elements.text.focus();
  });
}

function checkbox(data, verdict) {
  const counted = (one) => Object.values(one.results).filter((result) => (started(result) ? result.verdict : NOT_STARTED) === verdict).length;
  const count = data.cases.reduce((sum, one) => sum + counted(one), 0);
  const box = element("input", { type: "checkbox", name: "verdict", value: verdict });
  return element("label", {}, box, element("span", { className: `chip ${verdict.split("/")[0]}` }, verdict), element("span", { className: "quiet" }, String(count)));
}

function filters() {
  const form = document.getElementById("filters");
  const boxes = [...form.querySelectorAll("input[name=verdict]")];
  const found = { verdict: boxes.filter((box) => box.checked).map((box) => box.value).join(",") };
  for (const name of FIELDS) found[name] = form.elements[name].value.trim();
  return found;
}

function setFilters(values) {
  const form = document.getElementById("filters");
  const verdicts = (values.verdict ?? "").split(",");
  for (const box of form.querySelectorAll("input[name=verdict]")) box.checked = verdicts.includes(box.value);
  for (const name of FIELDS) form.elements[name].value = values[name] ?? "";
}

function address(values) {
  const given = Object.entries(values).filter(([, value]) => value !== "");
  return `#?${new URLSearchParams(given)}`;
}

// Whether the adapter started. One that did not is reported once, at the head of the page.
function started(result) {
  return result.kind !== "start";
}

function markedAs(data, mark) {
  return data.cases.some((one) => Object.values(one.results).some((result) => result.mark === mark));
}

// The cases that match the filters: at least one result of the case matches all filters for results.
function matching(data, values) {
  const verdicts = new Set(values.verdict ? values.verdict.split(",") : data.verdicts);
  const id = values.requirement.toLowerCase();
  const text = values.text.toLowerCase();
  const any = !["implementation", "verdict", "group", "part", "mark", "change"].some((name) => values[name]);
  const fits = (name, result) =>
    (!values.implementation || name === values.implementation) &&
    (started(result) ? verdicts.has(result.verdict) : verdicts.has(NOT_STARTED) || (name === values.implementation && verdicts.has(result.verdict))) &&
    (!values.group || result.group === values.group) &&
    (!values.part || (result.parts ?? []).includes(values.part)) &&
    (!values.mark || result.mark === values.mark) &&
    (!values.change || result.change === values.change);
  return data.cases.filter(
    (one) =>
      (!values.section || one.section === values.section || one.section.startsWith(`${values.section}/`)) &&
      (!values.operation || one.operation === values.operation) &&
      (!id || [...one.requirements, one.ruling ?? "", ...(one.citedByRulings ?? [])].some((each) => each.toLowerCase().startsWith(id))) &&
      (any || Object.entries(one.results).some(([name, result]) => fits(name, result))) &&
      (!text || haystack(one).includes(text)),
  );
}

const haystacks = new WeakMap();

function haystack(one) {
  let text = haystacks.get(one);
  if (text === undefined) {
    text = `${one.name}\n${JSON.stringify(one)}`.toLowerCase();
    haystacks.set(one, text);
  }
  return text;
}
