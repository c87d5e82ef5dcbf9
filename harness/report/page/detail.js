// One open case: request, expected answer, each answer that differs, and the text of the specification.

function detail(data, one) {
  const results = Object.entries(one.results);
  const run = results.filter(([, result]) => started(result));
  const others = run.filter(([, result]) => result.verdict !== "pass" || "answer" in result || "answerCut" in result || result.mark);
  const same = run.filter((each) => !others.includes(each)).map(([name]) => name);
  const notRun = results.filter(([, result]) => !started(result)).map(([name]) => name);
  return element(
    "div",
    {},
    about(data, one),
    element("h3", {}, "Request"),
    content(one, "request", ""),
    ...fixtures(data, one),
    ...alike(others).flatMap(([names, result]) => [element("h3", {}, visible(`Differences of ${names.join(", ")}`)), ...differences(result)]),
    element("h3", { className: "hidden" }, "Answers"),
    element("div", { className: "answers" }, wanted(one, same, others), ...others.map(([name, result]) => answer(data, one, name, result))),
    notRun.length ? element("p", { className: "quiet" }, visible(`Not run, because the adapter did not start: ${notRun.join(", ")}.`)) : "",
  );
}

// The results with differences, those with the same ones together: names, and the first result.
function alike(results) {
  const found = new Map();
  for (const [name, result] of results) {
    if (!result.differences) continue;
    const key = JSON.stringify([result.differences, result.count]);
    if (!found.has(key)) found.set(key, [[], result]);
    found.get(key)[0].push(name);
  }
  return [...found.values()];
}

function about(data, one) {
  const list = element("dl");
  const add = (term, ...content) => list.append(element("dt", {}, term), element("dd", {}, ...content));
  add("case", element("code", {}, visible(one.name)));
  add("where", element("code", {}, visible(one.at)), " · ", element("code", {}, visible(one.operation)));
  for (const id of one.requirements) {
    const found = own(data.requirements, id);
    add(visible(id), found ? visible(`${found.statement} (${found.level}, ${found.section})`) : "");
  }
  if (one.ruling) ruling(data, one, add);
  for (const id of one.citedByRulings ?? []) citing(data, id, add);
  if (one.note) add("note", ...prose(one.note));
  if (one.tags) add("tags", visible(one.tags.join(", ")));
  return list;
}

function ruling(data, one, add) {
  const found = own(data.rulings, one.ruling);
  if (!found) return add(visible(one.ruling), "");
  const readings = Object.entries(found.readings).map(([name, text]) => {
    const followers = Object.keys(one.results).filter((who) => own(one.results[who].readings ?? {}, one.ruling) === name);
    const who = followers.length ? ` Followed by ${followers.join(", ")}.` : "";
    const adopted = name === found.adopted ? " (adopted)" : "";
    return element("p", {}, element("b", {}, visible(`${name}${adopted}: `)), ...prose(text), visible(who));
  });
  return add(visible(one.ruling), element("p", {}, element("b", {}, ...prose(found.title))), ...readings, element("p", {}, ...prose(found.why)), ...documented(found));
}

// The note on another document of the same project.
function documented(ruling) {
  return ruling.documented ? [element("p", {}, ...prose(ruling.documented))] : [];
}

// A ruling that cites the case as evidence, although the case has one answer.
function citing(data, id, add) {
  const found = own(data.rulings, id);
  if (!found) return add(visible(id), "cites this case");
  const adopted = element("p", {}, element("b", {}, visible(`${found.adopted} (adopted): `)), visible(own(found.readings, found.adopted) ?? ""));
  return add(visible(`${id} cites this case`), element("p", {}, element("b", {}, visible(found.title))), adopted, element("p", {}, visible(found.why)));
}

function own(object, key) {
  return Object.hasOwn(object, key) ? object[key] : null;
}

// A value of the record, or the beginning of one that is too long for this page.
function content(from, key, side, marked = []) {
  const cut = from[`${key}Cut`];
  if (cut) {
    const note = `… ${cut.length - cut.beginning.length} more characters are in the run record.`;
    return element("div", {}, element("pre", { tabIndex: 0 }, visible(cut.beginning)), element("p", { className: "quiet" }, note));
  }
  return block(valueLines(bare(from[key]), marksOf(marked, side)), side);
}

// The answer itself, because paths begin at the answer; an error keeps its member `error`, as its paths do.
function bare(value) {
  return value !== null && typeof value === "object" && "answer" in value && Object.keys(value).length === 1 ? value.answer : value;
}

function fixtures(data, one) {
  const found = [];
  const search = (value) => {
    if (value === null || typeof value !== "object") return;
    const fixture = typeof value.digest === "string" && "$fixture" in value ? own(data.fixtures, value.digest) : null;
    if (fixture) found.push(fixture);
    else Object.values(value).forEach(search);
  };
  search(one.request);
  return [...new Set(found)].map((fixture) =>
    element("details", {}, element("summary", {}, "The fixture ", element("code", {}, visible(fixture.name))), block(valueLines(fixture.value, marksOf([], "wanted")), "")),
  );
}

function wanted(one, same, others) {
  const card = element("section", { className: "answer" }, element("h3", {}, "wanted"));
  if (same.length) card.append(element("p", { className: "quiet" }, "Same answer: ", element("b", {}, visible(same.join(", "))), "."));
  for (const name of same) if (one.results[name].unobservable) card.append(unobservable(one.results[name], name));
  card.append(content(one, "expected", "wanted", others.map(([, result]) => result)));
  return card;
}

function answer(data, one, name, result) {
  const card = element("section", { className: "answer" });
  card.append(element("h3", {}, visible(name), chip(result)));
  if (result.change) card.append(element("p", {}, `Change since the other record: ${result.change}.`));
  if (result.reason) card.append(element("p", {}, visible(result.reason)));
  if (result.expectation) card.append(element("p", {}, ...prose(result.expectation)));
  for (const note of result.documented ?? []) card.append(element("p", {}, ...prose(note)));
  if (result.flaky) {
    const passes = result.flaky.map((line) => element("li", { className: "mono" }, visible(line)));
    card.append(element("p", {}, "Flaky: different answers in repeated runs."), element("ul", {}, ...passes));
  }
  if (result.readings && result.verdict === "variant") {
    const readings = Object.entries(result.readings).map(([ruling, reading]) => `${ruling}=${reading}`);
    card.append(element("p", {}, visible(`Follows ${readings.join(" and ")}.`)));
  }
  if (result.explainedBy) card.append(element("p", {}, visible(result.explainedBy)));
  if (result.stage) {
    const recovered = result.recovered ? "; the final stage matches (recovered)" : "";
    card.append(element("p", {}, "First differs at ", element("code", {}, visible(result.stage)), `${recovered}.`));
  }
  if ("answer" in result || "answerCut" in result) {
    card.append(content(result, "answer", "got", [result]));
  }
  for (const refusal of result.engine ?? []) card.append(engine(refusal));
  if (result.unobservable) card.append(unobservable(result, name));
  if (result.stack) card.append(element("h3", {}, "Stack"), element("pre", { tabIndex: 0 }, visible(result.stack, true)));
  if (result.stderr) card.append(element("h3", {}, "Standard error"), element("pre", { tabIndex: 0 }, visible(result.stderr, true)));
  card.append(last(data, one, name, result));
  return card;
}

function unobservable(result, name) {
  return element("p", { className: "quiet" }, visible(`${name}: unobservable: ${result.unobservable.join(", ")} (not compared)`));
}

function differences(result) {
  const body = element("tbody");
  for (const part of result.differences) {
    const texts = [part.wanted, part.got].every((side) => side?.startsWith('"')); // a number or true is marked whole
    const [one, other] = texts ? parted(part.wanted, part.got) : [null, null];
    const path = element("td", { className: "mono" }, ...breakable(part.path));
    if (part.note) path.append(element("p", { className: "quiet" }, ...breakable(part.note)));
    body.append(element("tr", {}, path, side(part, "wanted", one), side(part, "got", other)));
  }
  const head = element("tr", {}, ...["at", "wanted", "got"].map((text) => element("th", { scope: "col" }, text)));
  const table = element("table", { className: "differences" }, element("thead", {}, head), body);
  const left = result.count - result.differences.length;
  return left > 0 ? [table, element("p", { className: "quiet" }, `… and ${left} more differences are in the run record.`)] : [table];
}

function side(part, name, pieces) {
  const cell = element("td", { className: `mono ${name}`, "data-name": name });
  if (part.edit === "note") return cell;
  if (!(name in part)) cell.append(element("i", { className: "quiet" }, ABSENT));
  else if (pieces === null) cell.append(element("mark", {}, visible(part[name])));
  else cell.append(pieces[0], pieces[1] ? element("mark", {}, pieces[1]) : "", pieces[2]);
  return cell;
}

function engine(refusal) {
  const side = refusal.side === "wanted" ? "expected" : "answered";
  return element("p", {}, "The engine rejects ", element("code", {}, visible(refusal.match)), ` (${side}): `, element("code", {}, visible(refusal.message)));
}

function last(data, one, name, result) {
  const list = element("dl");
  if (result.signature) list.append(element("dt", {}, "signature"), element("dd", {}, element("code", {}, visible(result.signature))));
  if ("ms" in result) list.append(element("dt", {}, "time"), element("dd", {}, `${result.ms} ms`));
  const command = visible(`${own(data.repeat, name) ?? ""}${one.name}`);
  list.append(element("dt", {}, "repeat"), element("dd", {}, element("code", {}, command), copyButton(command)));
  return list;
}

// A button that copies the command, or selects it where the clipboard is closed.
function copyButton(command) {
  const button = element("button", { type: "button", className: "copy" }, "Copy");
  button.setAttribute("aria-label", `Copy: ${command}`);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(command);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(button.previousElementSibling);
      button.textContent = "Selected";
    }
  });
  return button;
}

function chip(result) {
  const kind = result.kind ? `/${result.kind}` : "";
  const mark = result.mark ? element("span", { className: "mark" }, visible(result.mark)) : "";
  return element("span", {}, element("span", { className: `chip ${result.verdict}` }, `${result.verdict}${kind}`), mark);
}
