// Every operation of the contract: what its request must hold, which exports of the SDK it rests on,
// and the call of the SDK. Nothing here computes an answer of its own.

import { applyRanking, detect, documentText, jaccard, matches, multiplier, reweight } from './observed.mjs';
import { search } from './retrieval.mjs';

const operation = (takes, needs, answer) => ({ takes, needs, answer });
const PIPELINE = { retrieval: ['createRetrieval'] };

const table = (aliases) => new Map(Object.entries(aliases));

export const OPERATIONS = {
  'query.normalise': operation({ query: 'string' }, { query: ['normalise'] }, ({ query }, r) => ({
    text: query.normalise(r.query),
  })),
  'query.parse': operation({ query: 'string' }, { query: ['parseQuery'] }, ({ query }, r) => ({
    ast: query.parseQuery(r.query),
  })),
  'query.expandAliases': operation(
    { ast: 'object', aliases: 'object' },
    { query: ['expandAliases'] },
    ({ query }, r) => ({ ast: query.expandAliases(r.ast, table(r.aliases)) }),
  ),
  'query.compile': operation({ ast: 'object' }, { query: ['compileToFTS'] }, ({ query }, r) => ({
    match: query.compileToFTS(r.ast),
  })),
  'query.pipeline': operation(
    { query: 'string' },
    { query: ['parseQuery', 'expandAliases', 'compileToFTS'] },
    ({ query }, r) => {
      const parsed = query.parseQuery(r.query);
      const ast = r.aliases === undefined ? parsed : query.expandAliases(parsed, table(r.aliases));
      return { ast, match: query.compileToFTS(ast) };
    },
  ),
  'stopwords.list': operation(
    { language: 'string' },
    { query: ['EN_STOP_WORDS', 'NL_STOP_WORDS'] },
    ({ query }, r) => ({ words: [...(r.language === 'nl' ? query.NL_STOP_WORDS : query.EN_STOP_WORDS)] }),
  ),
  'temporal.parseDate': operation({ value: 'string' }, { query: ['parseQuestionDate'] }, ({ query }, r) => ({
    instant: query.parseQuestionDate(r.value)?.toISOString() ?? null,
  })),
  'temporal.expand': operation({ question: 'string' }, { query: ['expandTemporal'] }, ({ query }, r) =>
    query.expandTemporal(r.question, r.questionDate),
  ),
  'temporal.augment': operation({ question: 'string' }, { query: ['augmentQueryWithTemporal'] }, ({ query }, r) => ({
    query: query.augmentQueryWithTemporal(r.question, r.questionDate),
  })),
  'temporal.dateTokens': operation({}, { query: ['dateSearchTokens'] }, ({ query }, r) => ({
    tokens: query.dateSearchTokens(r.value),
  })),

  'fusion.rrf': operation({ lists: 'array' }, { retrieval: ['reciprocalRankFusion'] }, ({ retrieval }, r) => ({
    results: retrieval.reciprocalRankFusion(r.lists, r.k),
  })),
  'rerank.unanimity': operation(
    { bm25: 'array', vector: 'array' },
    { rerank: ['unanimityShortcut'] },
    ({ rerank }, r) => {
      const [bm25, vector] = [r.bm25, r.vector].map((ids) => ids.map((id) => ({ id })));
      return { shortcut: rerank.unanimityShortcut(bm25, vector, r.agreeMin) ?? null };
    },
  ),
  'rerank.documentText': operation({ title: 'string', summary: 'string', content: 'string' }, PIPELINE, documentText),
  'rerank.apply': operation({ results: 'array', topN: 'number', ranking: 'object' }, PIPELINE, applyRanking),
  'intent.matches': operation({ pattern: 'string', text: 'string' }, PIPELINE, matches),
  'intent.detect': operation({ query: 'string' }, PIPELINE, detect),
  'intent.multiplier': operation({ query: 'string', note: 'object' }, PIPELINE, multiplier),
  'intent.reweight': operation({ query: 'string', results: 'array' }, PIPELINE, reweight),
  'retry.sanitise': operation({ query: 'string' }, { retrieval: ['sanitiseQuery'] }, ({ retrieval }, r) => ({
    text: retrieval.sanitiseQuery(r.query),
  })),
  'retry.strongestTerm': operation({ query: 'string' }, { retrieval: ['strongestTerm'] }, ({ retrieval }, r) => ({
    term: retrieval.strongestTerm(r.query) ?? null,
  })),
  'retry.queryTokens': operation({ query: 'string' }, { retrieval: ['queryTokens'] }, ({ retrieval }, r) => ({
    tokens: retrieval.queryTokens(r.query),
  })),
  'trigram.slugText': operation({ path: 'string' }, { retrieval: ['slugTextFor'] }, ({ retrieval }, r) => ({
    text: retrieval.slugTextFor(r.path),
  })),
  'trigram.grams': operation({ text: 'string' }, { retrieval: ['computeTrigrams'] }, ({ retrieval }, r) => ({
    grams: [...retrieval.computeTrigrams(r.text)],
  })),
  'trigram.jaccard': operation(
    { a: 'string', b: 'string' },
    { retrieval: ['buildTrigramIndex', 'computeTrigrams', 'slugTextFor'] },
    jaccard,
  ),
  'trigram.search': operation(
    { chunks: 'array', tokens: 'array', limit: 'number' },
    { retrieval: ['buildTrigramIndex'] },
    ({ retrieval }, r) => {
      const hits = retrieval.buildTrigramIndex(r.chunks).search(r.tokens, r.limit);
      return { hits: hits.map(({ id, path, similarity }) => ({ id, path, similarity })) };
    },
  ),
  'retrieval.search': operation({ index: 'object', request: 'object' }, PIPELINE, search),
};

/** Parts of an answer that the observation cannot show. */
export const UNOBSERVABLE = {
  'intent.multiplier': ['/preference', '/concreteFact'],
  'intent.reweight': ['/results/*/bm25Rank', '/results/*/vectorSimilarity', '/results/*/rerankScore'],
};

/** What is wrong with a request's shape; undefined when every field that an operation needs is there. */
export function malformed({ takes }, request) {
  if (kind(request) !== 'object') return 'params must be an object';
  const wrong = Object.keys(takes).find((field) => kind(request[field]) !== takes[field]);
  return wrong === undefined ? undefined : `\`${wrong}\` must be of type ${takes[wrong]}`;
}

function kind(value) {
  if (Array.isArray(value)) return 'array';
  return value === null ? 'null' : typeof value;
}
