// The list of cases: one page of rows at a time, and at most one open case, which the address names.

const PER_PAGE = 100;

(function browse() {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byName = new Map(data.cases.map((one) => [one.name, one]));
  const table = document.getElementById("cases");
  const state = { found: data.cases, page: 0, open: "" };

  table.tHead.append(
    element("tr", {}, element("th", { scope: "col" }, "case"), ...data.implementations.map((name) => element("th", { scope: "col" }, visible(name)))),
  );

  function show() {
    const first = state.page * PER_PAGE;
    table.tBodies[0].replaceChildren(...state.found.slice(first, first + PER_PAGE).flatMap(rows));
    const pages = Math.max(1, Math.ceil(state.found.length / PER_PAGE));
    document.getElementById("page").textContent = `page ${state.page + 1} of ${pages}`;
    document.getElementById("previous").disabled = state.page === 0;
    document.getElementById("next").disabled = state.page + 1 >= pages;
    document.getElementById("pages").hidden = pages === 1;
  }

  function rows(one) {
    const open = one.name === state.open;
    const [suite, id] = [one.name.slice(0, one.name.lastIndexOf("/") + 1), one.name.slice(one.name.lastIndexOf("/") + 1)];
    const link = element(
      "a",
      { href: `#${encodeURI(one.name)}`, "aria-expanded": String(open) },
      element("span", { className: "suite" }, visible(suite)),
      element("span", { className: "id" }, visible(id)),
    );
    if (open) link.addEventListener("click", close);
    const cells = data.implementations.map((name) => {
      const result = own(one.results, name);
      return element("td", { "data-name": visible(name) }, result ? chip(result) : "");
    });
    const row = element("tr", { id: one.name, className: open ? "open" : "" }, element("th", { scope: "row" }, link, why(one)), ...cells);
    if (!open) return [row];
    return [row, element("tr", { className: "detail" }, element("td", { colSpan: data.implementations.length + 1 }, detail(data, one)))];
  }

  function failed(result) {
    return data.failing.includes(result.verdict) && started(result);
  }

  // The first difference, or the reason of an error, on one line.
  function why(one) {
    const result = Object.values(one.results).find(failed);
    const part = result?.first ?? result?.differences?.[0];
    if (!result || (!part && !result.reason)) return "";
    return element("p", { className: "why mono" }, visible((part ? summary(part) : result.reason).slice(0, 300)));
  }

  function summary(part) {
    switch (part.edit) {
      case "missing":
      case "unexpected":
        return `${part.path}: ${part.note}: ${part.wanted ?? part.got}`;
      case "order":
        return `${part.path}: order: ${part.wanted} → ${part.got}`;
      case "note":
        return `${part.path}: ${part.note}`;
      default:
        return `${part.path}  wanted ${part.wanted ?? ABSENT}  got ${part.got ?? ABSENT}  ${part.note ?? ""}`;
    }
  }

  function close(event) {
    event.preventDefault();
    history.replaceState(null, "", address(filters()));
    const name = state.open;
    state.open = "";
    show();
    focusOn(name);
  }

  function filter(note = "") {
    state.found = matching(data, filters());
    state.page = 0;
    const count = state.found.length;
    document.getElementById("status").textContent = `${count} of ${data.cases.length} cases${note}`;
  }

  function focusOn(name) {
    const row = document.getElementById(name);
    row?.querySelector("a").focus({ preventScroll: true });
    return row;
  }

  // Shows the case that the address names; filters that exclude it are removed.
  function reveal(name) {
    let index = state.found.findIndex((one) => one.name === name);
    if (index < 0) {
      setFilters({});
      filter(" (the filters were removed to show the case in the address)");
      index = state.found.findIndex((one) => one.name === name);
    }
    state.page = Math.floor(index / PER_PAGE);
    state.open = name;
    show();
    document.documentElement.style.scrollPaddingTop = `${table.tHead.offsetHeight}px`; // the row stands right below the head
    focusOn(name)?.scrollIntoView({ block: "start" });
  }

  function navigate() {
    const hash = location.hash.slice(1);
    const name = safelyDecoded(hash);
    if (hash.startsWith("?")) {
      setFilters(Object.fromEntries(new URLSearchParams(hash.slice(1))));
      state.open = "";
      filter();
      show();
      document.getElementById("browse").scrollIntoView();
    } else if (byName.has(name)) {
      reveal(name);
    } else if (name && !document.getElementById(name)) {
      document.getElementById("status").textContent = `This report has no case ${visible(name)}.`;
    }
  }

  function safelyDecoded(text) {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  }

  function turn(by) {
    state.page += by;
    state.open = "";
    show();
    document.getElementById("status").textContent = `Page ${state.page + 1}, ${state.found.length} of ${data.cases.length} cases`;
    document.getElementById("browse").scrollIntoView();
  }

  filterForm(data, () => {
    state.open = "";
    filter();
    show();
    history.replaceState(null, "", address(filters()));
  });
  document.getElementById("previous").addEventListener("click", () => turn(-1));
  document.getElementById("next").addEventListener("click", () => turn(1));
  addEventListener("hashchange", navigate);
  const failing = data.failing.filter((verdict) => data.cases.some((one) => Object.values(one.results).some((result) => result.verdict === verdict && failed(result))));
  const urgent = data.marks.find((mark) => mark !== "known" && mark !== "flaky" && markedAs(data, mark));
  setFilters(urgent ? { mark: urgent } : { verdict: failing.join(",") });
  filter();
  show();
  navigate();
})();
