// One case, opened: what was asked, wanted and answered, and what the specification says.

function detail(data, one) {
  const results = Object.entries(one.results);
  const asked = results.filter(([, result]) => started(result));
  const others = asked.filter(([, result]) => result.verdict !== "pass" || "answer" in result || "answerCut" in result || result.mark);
  const same = asked.filter((each) => !others.includes(each)).map(([name]) => name);
  const silent = results.filter(([, result]) => !started(result)).map(([name]) => name);
  return element(
    "div",
    {},
    facts(data, one),
    element("h3", {}, "Request"),
    content(one, "request", ""),
    ...fixtures(data, one),
    element("h3", { className: "hidden" }, "Answers"),
    element("div", { className: "answers" }, wanted(one, same, others), ...others.map(([name, result]) => answer(data, one, name, result))),
    silent.length ? element("p", { className: "quiet" }, visible(`Could not be started, and so not asked: ${silent.join(", ")}.`)) : "",
  );
}

function facts(data, one) {
  const list = element("dl");
  const add = (term, ...content) => list.append(element("dt", {}, term), element("dd", {}, ...content));
  add("case", element("code", {}, visible(one.name)));
  add("where", element("code", {}, visible(one.at)), " · ", element("code", {}, visible(one.operation)));
  for (const id of one.requirements) {
    const found = own(data.requirements, id);
    add(visible(id), found ? visible(`${found.statement} (${found.level}, ${found.section})`) : "");
  }
  if (one.ruling) ruling(data, one, add);
  if (one.tags) add("tags", visible(one.tags.join(", ")));
  return list;
}

function ruling(data, one, add) {
  const found = own(data.rulings, one.ruling);
  if (!found) return add(visible(one.ruling), "");
  const readings = Object.entries(found.readings).map(([name, text]) => {
    const followers = Object.keys(one.results).filter((who) => follows(one.results[who], name, found.adopted));
    const who = followers.length ? ` Followed here by ${followers.join(", ")}.` : "";
    const adopted = name === found.adopted ? " (adopted)" : "";
    return element("p", {}, element("b", {}, visible(`${name}${adopted}: `)), visible(`${text}${who}`));
  });
  return add(visible(one.ruling), element("p", {}, element("b", {}, visible(found.title))), ...readings, element("p", {}, visible(found.why)));
}

function follows(result, reading, adopted) {
  return result.verdict === "variant" ? result.reading === reading : result.verdict === "pass" && reading === adopted;
}

function own(object, key) {
  return Object.hasOwn(object, key) ? object[key] : null;
}

// A value of the record, or the beginning of one that is too long for this page.
function content(from, key, side, differences = []) {
  const cut = from[`${key}Cut`];
  if (cut) {
    const note = `… ${cut.length - cut.beginning.length} more characters; the run record has them.`;
    return element("div", {}, element("pre", { tabIndex: 0 }, visible(cut.beginning)), element("p", { className: "quiet" }, note));
  }
  return block(valueLines(bare(from[key]), marksOf(differences, side)), side);
}

// The answer itself, whose paths begin at `$`; an error keeps its wrapping, as its paths do.
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
    element("details", {}, element("summary", {}, "The fixture ", element("code", {}, visible(fixture.name))), block(valueLines(fixture.value, marksOf([], "")), "")),
  );
}

function wanted(one, same, others) {
  const marked = others.length === 1 ? (others[0][1].differences ?? []) : others.flatMap(([, result]) => result.differences ?? []);
  const card = element("section", { className: "answer" }, element("h3", {}, "wanted"));
  if (same.length) card.append(element("p", { className: "quiet" }, "Answered so by ", element("b", {}, visible(same.join(", "))), "."));
  for (const name of same) if (one.results[name].unobservable) card.append(unobservable(one.results[name], name));
  card.append(content(one, "expected", "wanted", marked));
  return card;
}

function answer(data, one, name, result) {
  const card = element("section", { className: "answer" });
  card.append(element("h3", {}, visible(name), chip(result)));
  if (result.change) card.append(element("p", {}, `Since the other record: ${result.change}.`));
  if (result.reason) card.append(element("p", {}, visible(result.reason)));
  if (result.expectation) card.append(element("p", {}, visible(result.expectation)));
  if (result.flaky) {
    const passes = result.flaky.map((line) => element("li", { className: "mono" }, visible(line)));
    card.append(element("p", {}, "Answered otherwise when asked again:"), element("ul", {}, ...passes));
  }
  if (result.reading && result.verdict === "variant") card.append(element("p", {}, visible(`Follows reading ${result.reading} of ${one.ruling}.`)));
  if (result.stage) {
    const recovered = result.recovered ? " The last stage is right all the same." : "";
    card.append(element("p", {}, "Parts first at ", element("code", {}, visible(result.stage)), `.${recovered}`));
  }
  if (result.differences) card.append(...differences(result));
  if ("answer" in result || "answerCut" in result) {
    card.append(element("h3", {}, "The whole answer"), content(result, "answer", "got", result.differences));
  }
  for (const refusal of result.engine ?? []) card.append(engine(refusal));
  if (result.unobservable) card.append(unobservable(result, name));
  if (result.stderr) card.append(element("h3", {}, "Standard error"), element("pre", { tabIndex: 0 }, visible(result.stderr, true)));
  card.append(last(data, one, name, result));
  return card;
}

function unobservable(result, name) {
  return element("p", { className: "quiet" }, visible(`${name} does not tell ${result.unobservable.join(", ")}; that is not compared.`));
}

function differences(result) {
  const body = element("tbody");
  for (const part of result.differences) {
    const both = "wanted" in part && "got" in part;
    const [one, other] = both ? parted(part.wanted, part.got) : [null, null];
    const path = element("td", { className: "mono" }, visible(part.path));
    if (part.parting) path.append(element("p", { className: "quiet" }, part.parting));
    body.append(element("tr", {}, path, side(part, "wanted", one), side(part, "got", other)));
  }
  const head = element("tr", {}, ...["at", "wanted", "got"].map((text) => element("th", { scope: "col" }, text)));
  const table = element("table", { className: "differences" }, element("thead", {}, head), body);
  const left = result.count - result.differences.length;
  return left > 0 ? [table, element("p", { className: "quiet" }, `… and ${left} more differences; the run record has them.`)] : [table];
}

function side(part, name, pieces) {
  const cell = element("td", { className: `mono ${name}`, "data-name": name });
  if (!(name in part)) cell.append(element("i", { className: "quiet" }, "nothing"));
  else if (pieces === null) cell.append(element("mark", {}, visible(part[name])));
  else cell.append(pieces[0], pieces[1] ? element("mark", {}, pieces[1]) : "", pieces[2]);
  return cell;
}

function engine(refusal) {
  const whose = refusal.side === "wanted" ? "was wanted" : "came";
  return element("p", {}, "The live engine refuses ", element("code", {}, visible(refusal.match)), ` (which ${whose}): `, element("code", {}, visible(refusal.message)));
}

function last(data, one, name, result) {
  const list = element("dl");
  if (result.signature) list.append(element("dt", {}, "signature"), element("dd", {}, element("code", {}, visible(result.signature))));
  if ("ms" in result) list.append(element("dt", {}, "time"), element("dd", {}, `${result.ms} ms`));
  const command = visible(`${own(data.again, name) ?? ""}${one.name}`);
  list.append(element("dt", {}, "again"), element("dd", {}, element("code", {}, command)));
  return list;
}

function chip(result) {
  const kind = result.kind ? `/${result.kind}` : "";
  const mark = result.mark ? element("span", { className: "mark" }, visible(result.mark)) : "";
  return element("span", {}, element("span", { className: `chip ${result.verdict}` }, `${result.verdict}${kind}`), mark);
}
