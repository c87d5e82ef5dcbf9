// `retrieval.search`: the SDK's own pipeline between an index, an embedder and a
// reranker of ours, which answer from the request and record their calls.

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
  const source = index.chunks === undefined ? scriptedIndex(index) : await openIndex(index.chunks);
  try {
    const pipeline = retrieval.createRetrieval({
      index: indexFor(source, vector, calls),
      ...(vector === undefined ? {} : { embedder: scriptedEmbedder(vector, calls) }),
      ...(ranking === undefined ? {} : { reranker: scriptedReranker(ranking, calls) }),
      ...(aliases === undefined ? {} : { aliases: new Map(Object.entries(aliases)) }),
      ...trigramSource(index, trigramChunks),
    });
    return reported(await pipeline.searchRaw(request), calls);
  } finally {
    source.close();
  }
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
      if (fails === true || fails.includes(match)) throw new Error('the scripted index fails');
      const chunks = answers.get(match) ?? otherwise;
      return chunks.slice(0, limit).map((chunk) => ({ chunk, score: -1 }));
    },
    prepare: () => ({ all: () => [] }),
    close() {},
  };
}

/** The SDK's structural index: what the source finds, in the SDK's chunk shape. */
function indexFor(source, vector, calls) {
  return {
    searchBM25Compiled(match, limit) {
      calls.push({ to: 'bm25', match, limit });
      return source.search(match, limit).map(({ chunk, score }) => ({ chunk: stored(chunk), score }));
    },
    searchVector(_embedding, limit) {
      calls.push({ to: 'vector', limit });
      if (vector.fails === 'search') throw new Error('the scripted vector search fails');
      return (vector.hits ?? []).slice(0, limit).map(({ similarity, ...chunk }) => ({
        chunk: stored(chunk),
        distance: 1 - similarity,
        similarity,
      }));
    },
    db: { prepare: source.prepare },
  };
}

const stored = (chunk) => ({ ordinal: 0, tags: [], ...chunk });

function scriptedEmbedder({ embedding = [1, 0], fails }, calls) {
  return {
    async embed(texts) {
      calls.push({ to: 'embed', texts: [...texts] });
      if (fails === 'embed') throw new Error('the scripted embedder fails');
      return texts.map(() => embedding);
    },
  };
}

function scriptedReranker({ hits, order, fails }, calls) {
  return {
    name: () => 'scripted',
    async rerank({ query, documents }) {
      calls.push({ to: 'rerank', query, documents: documents.map(({ id, text }) => ({ id, text })) });
      if (fails === true) throw new Error('the scripted reranker fails');
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
