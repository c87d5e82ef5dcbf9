// Operations that the SDK keeps to itself, seen through what its public calls do
// with parts and notes chosen so that only the operation shows.

import { OutOfReach } from './reach.mjs';
import { search } from './retrieval.mjs';

const NO_INTENT = 'zebra';
const NOWHERE = { script: {} };
const NEUTRAL = 'qqx-neutral-';
const MAX_RANK = 200; // a search over more notes for one score is not made

const chunk = (id, path, text = {}) => ({ id, path, title: '', summary: '', content: '', ...text });

/** The text that a reranker is given for a lone hit; its path is empty, since the operation has none. */
export async function documentText(sdk, note) {
  const { calls } = await rerank(sdk, [chunk('note', '', note)], 1, { order: 'reverse' });
  const call = calls.find(({ to }) => to === 'rerank');
  if (call === undefined) throw new OutOfReach('the search did not call the reranker, so no text shows');
  return { text: call.documents[0].text };
}

/** The ids of a search whose BM25 leg alone finds `results`, with a reranker that answers `ranking`. */
export async function applyRanking(sdk, { results, topN, ranking }) {
  const answer = await rerank(sdk, results, topN, ranking);
  return { ids: answer.results.map(({ id }) => id) };
}

function rerank(sdk, chunks, rerankTopN, ranking) {
  const candidateK = chunks.length;
  const topK = candidateK + (ranking.hits ?? []).length; // a ranking that repeats documents makes the list longer
  const request = { query: NO_INTENT, mode: 'bm25', topK, candidateK, rerank: true, rerankTopN };
  return search(sdk, { index: { script: {}, otherwise: chunks }, request, ranking });
}

/**
 * The results of a search in which the vector leg alone finds `chunks`, so that the
 * query decides nothing but the intent: the score of rank r is 1/(61 + r) times the multipliers.
 */
async function weighted(sdk, query, chunks) {
  const all = chunks.length;
  const hits = chunks.map(({ id, path, title, summary, content, metadata }) => ({
    ...chunk(id, path, { title, summary, content }),
    ...(metadata === undefined ? {} : { metadata }),
    similarity: 0.5,
  }));
  const request = { query, mode: 'semantic', topK: all, candidateK: all, rerank: false, skipRetryLadder: true };
  return (await search(sdk, { index: NOWHERE, request, vector: { hits } })).results;
}

/** What the query multiplies each note's score by, in the order of `notes`. */
async function factors(sdk, query, notes) {
  const scored = new Map((await weighted(sdk, query, notes)).map(({ id, score }) => [id, score]));
  const plain = new Map((await weighted(sdk, NO_INTENT, notes)).map(({ id, score }) => [id, score]));
  return notes.map(({ id }) => {
    if (!scored.has(id) || !plain.has(id)) throw new OutOfReach('the search left the note out, with its score');
    return scored.get(id) / plain.get(id);
  });
}

// Behind three notes the score before weighting is 1/64, and no digit of the product is lost.
const BEFORE = ['a', 'b', 'c'].map((id) => chunk(id, `wiki/${id}.md`));

/** The product of all multipliers of a note. */
export async function multiplier(sdk, { query, note }) {
  const [, , , combined] = await factors(sdk, query, [...BEFORE, chunk('note', note.path, note)]);
  return { combined };
}

// Two notes of each pair differ only in what one intent looks at in their paths.
const PAIRS = [
  chunk('preference', 'memory/global/user-preference-qqx.md'),
  chunk('global', 'memory/global/qqx.md'),
  chunk('fact', 'wiki/user-fact-qqx.md'),
  chunk('plain', 'wiki/qqx.md'),
];

/** Which intents move the path that they look for away from its neighbour. */
export async function detect(sdk, { query }) {
  const [preference, global, fact, plain] = await factors(sdk, query, PAIRS);
  const preferenceQuery = differ(preference, global);
  if (preferenceQuery && differ(preference, 2.35 * global)) {
    throw new OutOfReach(`a preference note is weighted ${preference} and a global note ${global}: no single intent`);
  }
  return { preferenceQuery, concreteFactQuery: differ(fact, plain) };
}

const differ = (a, b) => Math.abs(a - b) > 1e-9 * Math.abs(b);

/** The order and scores of a search whose fused ranking has exactly the scores of `results`, in their order. */
export async function reweight(sdk, { query, results }) {
  const list = behindNeutralNotes(results);
  const before = listed(await weighted(sdk, NO_INTENT, list), results);
  if (!results.every(({ id, score }, rank) => before[rank]?.id === id && before[rank].score === score)) {
    throw new OutOfReach('the SDK weights only scores of its own making, 1/61, 1/62, …, each once and in this order');
  }
  const after = listed(await weighted(sdk, query, list), results);
  // Ranks and similarities are traces of how the notes were brought before the SDK.
  return { results: after.map(({ bm25Rank, vectorSimilarity, rerankScore, ...result }) => result) };
}

/** The results with neutral notes in the gaps of their scores: the score of rank r is 1/(61 + r). */
function behindNeutralNotes(results) {
  const list = [];
  for (const result of results) {
    const rank = Math.round(1 / result.score) - 61;
    const gap = rank < MAX_RANK ? rank - list.length : 0;
    for (let n = 0; n < gap; n += 1) list.push(chunk(`${NEUTRAL}${list.length}`, `wiki/${NEUTRAL}.md`));
    list.push(result);
  }
  return list;
}

function listed(found, results) {
  const ids = new Set(results.map(({ id }) => id));
  return found.filter(({ id }) => ids.has(id));
}

/** Whether a pattern matches, as far as a multiplier or a detected intent hangs on that pattern alone. */
export async function matches(sdk, { pattern, text }) {
  if (changedByLowering(text)) {
    throw new OutOfReach('the SDK lowercases the text before it matches, which changes more than ASCII letters here');
  }
  return { matches: await MATCHES[pattern](sdk, text) };
}

const MATCHES = {
  PREFERENCE_QUERY_RE: async (sdk, text) => (await detect(sdk, { query: text })).preferenceQuery,
  // Without the word `i` no first-person pattern matches, and this pattern alone makes a concrete-fact query.
  ENUMERATION_OR_TOTAL_QUERY_RE: (sdk, text) => concrete(sdk, text.replace(/\bi\b/gi, 'x')),
  FIRST_PERSON_FACT_LOOKUP_RE: (sdk, text) => completes(sdk, text, (other) => `${other}; watched`, 'did i'),
  FACT_LOOKUP_VERB_RE: (sdk, text) => completes(sdk, text, (other) => `did i; ${other}`, 'watched'),
  PREFERENCE_NOTE_RE: (sdk, text) => decides(sdk, text, PREFERENCE_NOTE),
  GENERIC_NOTE_RE: (sdk, text) => decides(sdk, text, GENERIC_NOTE),
  ROLLUP_NOTE_RE: (sdk, text) => decides(sdk, text, ROLLUP_NOTE),
  // Without a square bracket no date tag matches, and this pattern alone makes a note a concrete fact.
  ATOMIC_EVENT_NOTE_RE: (sdk, text) => decides(sdk, text.replaceAll('[', '('), CONCRETE_NOTE),
  DATE_TAG_RE: dateTag,
};

// One pattern alone decides between the factors of its row; a factor of no row shows no single pattern.
const PREFERENCE_NOTE = { query: 'recommend', path: 'memory/global/qqx.md', yes: [2.1, 2.1 * 0.9], no: [1, 0.9] };
const GENERIC_NOTE = { query: 'recommend', path: 'wiki/qqx.md', yes: [0.82, 0.82 * 0.9], no: [1, 0.9] };
const ROLLUP_NOTE = { query: 'recommend', path: 'memory/global/qqx.md', yes: [0.9, 2.1 * 0.9], no: [1] };
const CONCRETE_NOTE = { query: 'how many', path: 'memory/global/qqx.md', yes: [2.2], no: [1] };

/** Whether a note with this text has a factor that it has only if the row's pattern matches. */
async function decides(sdk, text, { query, path, yes, no }) {
  const note = { path, title: '', summary: '', content: text };
  const { combined } = await multiplier(sdk, { query, note });
  if (yes.some((factor) => !differ(combined, factor))) return true;
  if (no.some((factor) => !differ(combined, factor))) return false;
  throw new OutOfReach(`the note is weighted ${combined}, which other patterns give too`);
}

async function dateTag(sdk, text) {
  if (!(await decides(sdk, text, CONCRETE_NOTE))) return false;
  if (!(await decides(sdk, text.replaceAll('[', '('), CONCRETE_NOTE))) return true;
  throw new OutOfReach('the note is a concrete fact without its square brackets too');
}

const concrete = async (sdk, query) => (await detect(sdk, { query })).concreteFactQuery;

/** Whether the text makes a concrete-fact query of `rest(text)`, as `sample` does, and no other part makes it one. */
async function completes(sdk, text, rest, sample) {
  if ((await concrete(sdk, rest('zebra'))) || !(await concrete(sdk, rest(sample)))) {
    throw new OutOfReach('the SDK does not detect a concrete-fact query by a first-person form and a verb');
  }
  if (!(await concrete(sdk, rest(text)))) return false;
  if (!(await concrete(sdk, text))) return true;
  throw new OutOfReach('the text is a concrete-fact query by itself, whether this pattern matches or not');
}

function changedByLowering(text) {
  return [...text].some((character) => character > '\x7f' && character.toLowerCase() !== character);
}

/** The similarity that the trigram search shows for one text as token and the other as slug. */
export function jaccard({ retrieval }, { a, b }) {
  const [token, slug] = asSlug(retrieval, b) ? [a, b] : [b, a];
  if (!asSlug(retrieval, slug)) throw new OutOfReach('neither text is its own slug, and slugs are compared');
  const [hit] = retrieval.buildTrigramIndex([chunk('slug', slug)]).search([token], 1);
  if (hit === undefined) throw new OutOfReach('similarities below the 0.3 threshold are not shown');
  return { similarity: hit.similarity };
}

/** Whether a text used as a path has the same trigrams as the text itself. */
function asSlug({ computeTrigrams, slugTextFor }, text) {
  const [whole, slug] = [computeTrigrams(text), computeTrigrams(slugTextFor(text))];
  return whole.size === slug.size && [...whole].every((gram) => slug.has(gram));
}
