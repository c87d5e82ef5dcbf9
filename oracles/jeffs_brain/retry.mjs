// Algorithms document, forceRefreshIndex retry ladder: sanitiseQuery, strongestTerm, queryTokens, Trigram fallback details.

import { WORDS } from './query_dsl.mjs';

const STOP_WORDS = new Set(WORDS.ladder);
const THRESHOLD = 0.3;

export const sanitise = (query) =>
  query
    .replace(/[\p{P}\p{S}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();

const keptTokens = (query) =>
  sanitise(query)
    .toLowerCase()
    .split(/\s+/)
    .filter((token) => token.length >= 3 && !STOP_WORDS.has(token));

/** The first of the longest tokens, or null. */
export const strongestTerm = (query) =>
  keptTokens(query).reduce((best, token) => (token.length > (best?.length ?? 0) ? token : best), null);

export const queryTokens = (query) => [...new Set(keptTokens(query))];

const slugText = (path) =>
  path
    .toLowerCase()
    .split('/')
    .at(-1)
    .replace(/\.md$/, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ');

function grams(text) {
  const found = new Set();
  for (const word of text.split(' ').filter((one) => one !== '')) {
    const padded = `$${word}$`;
    for (let start = 0; start + 3 <= padded.length; start++) found.add(padded.slice(start, start + 3));
  }
  return found;
}

function jaccard(one, other) {
  const shared = [...one].filter((gram) => other.has(gram)).length;
  const all = one.size + other.size - shared;
  return all === 0 ? 0 : shared / all;
}

export const byCodeUnits = (one, other) => (one < other ? -1 : one > other ? 1 : 0);

/** Chunks with their best similarity over the tokens: the best first, then by path. */
export function trigramSearch(chunks, tokens, limit) {
  const wanted = tokens.map(grams);
  return chunks
    .map((chunk) => {
      const slug = grams(slugText(chunk.path));
      return { chunk, similarity: Math.max(0, ...wanted.map((token) => jaccard(slug, token))) };
    })
    .filter(({ similarity }) => similarity >= THRESHOLD)
    .sort((a, b) => b.similarity - a.similarity || byCodeUnits(a.chunk.path, b.chunk.path))
    .slice(0, limit);
}

export const operations = {
  'retry.sanitise': ({ query }) => ({ text: sanitise(query) }),
  'retry.strongestTerm': ({ query }) => ({ term: strongestTerm(query) }),
  'retry.queryTokens': ({ query }) => ({ tokens: queryTokens(query) }),
  'trigram.slugText': ({ path }) => ({ text: slugText(path) }),
  'trigram.grams': ({ text }) => ({ grams: [...grams(text)] }),
  'trigram.jaccard': ({ a, b }) => ({ similarity: jaccard(grams(a), grams(b)) }),
  'trigram.search': ({ chunks, tokens, limit }) => ({
    hits: trigramSearch(chunks, tokens, limit).map(({ chunk: { id, path }, similarity }) => ({ id, path, similarity })),
  }),
};
