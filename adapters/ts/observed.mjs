// Operations that the SDK keeps to itself, seen through what its public calls do
// with parts and notes chosen so that only the operation shows.

import { search } from './retrieval.mjs';

/** Raised when this request is out of the public surface's reach. */
export class OutOfReach extends Error {}

const NO_INTENT = 'zebra';
const NOWHERE = { script: {} };

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
  const hits = chunks.map(({ id, path, title, summary, content }) => ({
    id,
    path,
    title,
    summary,
    content,
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

/** The order and scores of a search whose fused ranking is exactly `results`. */
export async function reweight(sdk, { query, results }) {
  const before = await weighted(sdk, NO_INTENT, results);
  if (!results.every(({ id, score }, rank) => before[rank]?.id === id && before[rank].score === score)) {
    throw new OutOfReach('the SDK weights only scores of its own making, 1/61, 1/62, … in this order');
  }
  const after = await weighted(sdk, query, results);
  // The similarity is a trace of how the notes were brought before the SDK.
  return { results: after.map(({ vectorSimilarity, ...result }) => result) };
}

// One pattern alone decides between the factors of its row; a factor of no row shows no single pattern.
const NOTE_PATTERNS = {
  PREFERENCE_NOTE_RE: { path: 'memory/global/qqx.md', yes: [2.1, 2.1 * 0.9], no: [1, 0.9] },
  GENERIC_NOTE_RE: { path: 'wiki/qqx.md', yes: [0.82, 0.82 * 0.9], no: [1, 0.9] },
  ROLLUP_NOTE_RE: { path: 'memory/global/qqx.md', yes: [0.9, 2.1 * 0.9], no: [1] },
};

/** Whether a pattern matches, as far as a multiplier or a detected intent hangs on that pattern alone. */
export async function matches(sdk, { pattern, text }) {
  if (changedByLowering(text)) {
    throw new OutOfReach('the SDK lowercases the text before it matches, which changes more than ASCII letters here');
  }
  if (pattern === 'PREFERENCE_QUERY_RE') return { matches: (await detect(sdk, { query: text })).preferenceQuery };
  const row = NOTE_PATTERNS[pattern];
  if (row === undefined) throw new OutOfReach('no public call hangs on this pattern alone');
  const note = { path: row.path, title: '', summary: '', content: text };
  const { combined } = await multiplier(sdk, { query: 'recommend', note });
  if (row.yes.some((factor) => !differ(combined, factor))) return { matches: true };
  if (row.no.some((factor) => !differ(combined, factor))) return { matches: false };
  throw new OutOfReach(`the note is weighted ${combined}, which other patterns give too`);
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
