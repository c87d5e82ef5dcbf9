// `retrieval.search`: the SDK's own pipeline between an index, an embedder and a
// reranker of ours, which answer from the request and record their calls.

import { expect, OutOfReach, PartFailure, Parts } from './reach.mjs';
import { openIndex } from './sqlite_index.mjs';

const TRACED = [
  'mode',
  'compiledQuery',
  'bm25Count',
  'vectorCount',
  'fellBackToBM25',
  'reranked',
  'rerankSkippedReason',
  'unanimity',
  'errorStage',
  'attempts',
];
const RESULT = [
  'id',
  'path',
  'title',
  'summary',
  'content',
  'score',
  'bm25Rank',
  'vectorSimilarity',
  'rerankScore',
];
const ELAPSED = { bm25Elapsed: 'bm25', vectorElapsed: 'vector' };

/** Runs one search (the operation's request) and answers {results, trace, calls, timed}. */
export async function search({ retrieval }, { index, request, vector, ranking, aliases, trigramChunks }) {
  const calls = [];
  const texts = []; // sent to `searchBM25`, which earlier revisions call with compiled expressions
  const parts = new Parts();
  const { read, watched } = reads(request);
  const source = index.chunks === undefined ? scriptedIndex(index) : await openIndex(index.chunks);
  let response;
  try {
    const pipeline = retrieval.createRetrieval({
      index: indexFor(source, { vector, calls, texts, parts }),
      ...(vector === undefined ? {} : { embedder: parts.offer('embedder', scriptedEmbedder(vector, calls)) }),
      ...(ranking === undefined ? {} : { reranker: parts.offer('reranker', scriptedReranker(ranking, calls)) }),
      ...(aliases === undefined ? {} : { aliases: new Map(Object.entries(aliases)) }),
      ...trigramSource(index, trigramChunks),
    });
    response = await pipeline.searchRaw(watched);
  } finally {
    source.close();
    parts.check();
  }
  if (request.questionDate !== undefined && !read.has('questionDate')) {
    throw new OutOfReach("the SDK does not read the search request's `questionDate`");
  }
  if (texts.includes(request.query) && response.trace.compiledQuery !== request.query) {
    throw new OutOfReach('the SDK calls `index.searchBM25` with the query as it came, not with a MATCH expression');
  }
  return reported(response, calls);
}

/** A plain copy of the request, which an SDK can clone, and whether the SDK has read its question date. */
function reads(request) {
  const read = new Set();
  const watched = { ...request };
  if (request.questionDate !== undefined) {
    const get = () => {
      read.add('questionDate');
      return request.questionDate;
    };
    Object.defineProperty(watched, 'questionDate', { get, enumerable: true, configurable: true });
  }
  return { read, watched };
}

/** Without chunks of its own a scripted index has an empty trigram source; a real one lets the SDK read its table. */
function trigramSource(index, trigramChunks) {
  if (trigramChunks === undefined && index.chunks !== undefined) return {};
  return { trigramChunks: trigramChunks ?? [] };
}

function scriptedIndex({ script = {}, otherwise = [], fails = [] }) {
  const answers = new Map(Object.entries(script));
  return {
    search(match, limit) {
      if (fails === true || fails.includes(match)) throw new PartFailure('the scripted index fails');
      const chunks = answers.get(match) ?? otherwise;
      return first(limit, chunks).map((chunk) => ({ chunk, score: -1 }));
    },
    close() {},
  };
}

/** The SDK's structural index: what the source finds, in the SDK's chunk shape. A scripted source has no database. */
function indexFor(source, { vector, calls, texts, parts }) {
  const bm25 = (match, limit) => {
    expect('string', match, 'the MATCH expression');
    expect('number', limit, 'the limit');
    calls.push({ to: 'bm25', match, limit });
    return source.search(match, limit).map(({ chunk, score }) => ({ chunk: stored(chunk), score }));
  };
  return parts.offer('index', {
    searchBM25Compiled: bm25,
    searchBM25(text, limit) {
      texts.push(text);
      return bm25(text, limit);
    },
    searchVector(_embedding, limit) {
      expect('number', limit, 'the limit');
      calls.push({ to: 'vector', limit });
      if (vector.fails === 'search') throw new PartFailure('the scripted vector search fails');
      return first(limit, vector.hits ?? []).map(({ similarity, ...chunk }) => ({
        chunk: stored(chunk),
        distance: 1 - similarity,
        similarity,
      }));
    },
    ...(source.rows === undefined ? {} : { db: database(source, parts) }),
  });
}

function database({ rows }, parts) {
  const prepare = (sql) => parts.offer('index.db.prepare(…)', { all: (...values) => rows(sql, values) });
  return parts.offer('index.db', { prepare });
}

const first = (limit, items) => items.slice(0, Math.max(limit, 0));

const stored = (chunk) => ({ ordinal: 0, tags: [], ...chunk });

function scriptedEmbedder({ embedding = [1, 0], fails }, calls) {
  return {
    name: () => 'scripted',
    model: () => 'scripted',
    dimension: () => embedding.length,
    async embed(texts) {
      expect('array', texts, 'the list of texts');
      calls.push({ to: 'embed', texts: [...texts] });
      if (fails === 'embed') throw new PartFailure('the scripted embedder fails');
      return texts.map(() => embedding);
    },
  };
}

function scriptedReranker({ hits, order, fails }, calls) {
  return {
    name: () => 'scripted',
    isAvailable: async () => true,
    async rerank({ query, documents }) {
      expect('string', query, 'the query');
      expect('array', documents, 'the list of documents');
      calls.push({ to: 'rerank', query, documents: documents.map(({ id, text }) => ({ id, text })) });
      if (fails === true) throw new PartFailure('the scripted reranker fails');
      const answer = order === 'reverse' ? documents.map((_, index) => ({ index, score: index + 1 })).reverse() : hits;
      return answer.map(({ index, score }) => ({ index, score, id: documents[index]?.id ?? '' }));
    },
  };
}

/** The SDK's response under the contract's names; of elapsed times only which legs have one. */
function reported({ results, trace }, calls) {
  const extra = Object.entries(trace).filter(([name]) => !TRACED.includes(name) && !name.endsWith('Elapsed'));
  const timed = Object.keys(ELAPSED).filter((name) => typeof trace[name] === 'number');
  return {
    results: results.map((result) => picked(result, RESULT)),
    trace: { ...picked(trace, TRACED), extra: Object.fromEntries(extra) },
    calls,
    timed: timed.map((name) => ELAPSED[name]),
  };
}

function picked(value, names) {
  return Object.fromEntries(names.filter((name) => value[name] !== undefined).map((name) => [name, value[name]]));
}
