// Algorithms document: Hybrid pipeline, forceRefreshIndex retry ladder, Trace.

import { OutOfReach } from '../out_of_reach.mjs';
import { documentText, reciprocalRankFusion, rerankedHead, unanimityShortcut } from './fusion.mjs';
import { reweight } from './intent.mjs';
import { compile, expandAliases, parse } from './query_dsl.mjs';
import { queryTokens, sanitise, strongestTerm, trigramSearch } from './retry.mjs';

const DEFAULTS = { topK: 10, candidateK: 60, rerankTopN: 20, rerank: true, mode: 'auto', skipRetryLadder: false };
const K = 60;

/** One search: what it calls, in order, and the stage that raised first. */
class Search {
  calls = [];
  attempts = [];

  constructor({ index, request, vector, ranking, aliases, trigramChunks }) {
    if (index.script === undefined) throw new OutOfReach('the oracle has no FTS5 index');
    Object.assign(this, { index, vector, ranking, aliases, chunks: trigramChunks ?? [] });
    this.request = { ...DEFAULTS, ...request };
  }

  failed(stage) {
    this.errorStage ??= stage;
  }

  compiled(text) {
    const ast = parse(text);
    return compile(this.aliases ? expandAliases(ast, this.aliases) : ast);
  }

  /** Candidates of a MATCH string; an empty one is no FTS leg. Throws if the index raises. */
  match(expression) {
    if (expression === '') return [];
    const { script, otherwise = [], fails = [] } = this.index;
    const limit = this.request.candidateK;
    this.calls.push({ to: 'bm25', match: expression, limit });
    if (fails === true || fails.includes(expression)) throw new Error('the index raises');
    return (Object.hasOwn(script, expression) ? script[expression] : otherwise).slice(0, limit);
  }

  bm25Leg() {
    try {
      const compiled = this.compiled(this.request.query);
      const found = this.match(compiled);
      this.attempts.push({ strategy: 'initial', query: compiled, hits: found.length });
      return found.length > 0 || this.request.skipRetryLadder ? found : this.ladder();
    } catch {
      this.failed('bm25');
      return [];
    }
  }

  /** Rungs (ordered). */
  ladder() {
    const { query, candidateK } = this.request;
    const sanitised = sanitise(query);
    const strongest = strongestTerm(query);
    const rungs = [
      ['strongest_term', strongest === query.trim().toLowerCase() ? null : strongest],
      ['refreshed_sanitised', sanitised],
      ['refreshed_strongest', strongestTerm(sanitised)],
    ];
    for (const [strategy, text] of rungs.filter(([, one]) => one)) {
      const found = this.match(this.compiled(text));
      this.attempts.push({ strategy, query: text, hits: found.length });
      if (found.length > 0) return found;
    }
    const tokens = queryTokens(query);
    if (tokens.length === 0) return [];
    const found = trigramSearch(this.chunks, tokens, candidateK).map(({ chunk }) => chunk);
    this.attempts.push({ strategy: 'trigram_fuzzy', query: tokens.join(' '), hits: found.length });
    return found;
  }

  vectorLeg() {
    this.calls.push({ to: 'embed', texts: [this.request.query] });
    if (this.vector.fails !== 'embed') {
      if (this.vector.embedding !== undefined) return [];
      this.calls.push({ to: 'vector', limit: this.request.candidateK });
      if (this.vector.fails !== 'search') return this.vector.hits.slice(0, this.request.candidateK);
    }
    this.failed('vector');
    return [];
  }

  /** The final list, and the members of the trace that describe the reranker. */
  rerank(fused, bm25, vector) {
    const { query, rerank, rerankTopN } = this.request;
    const skipped = (rerankSkippedReason) => [fused, { reranked: false, rerankSkippedReason }];
    if (fused.length === 0) return skipped('empty_candidates');
    if (!rerank) return skipped('mode_off');
    if (this.ranking === undefined) return skipped('no_reranker');
    const shortcut = unanimityShortcut(...[bm25, vector].map((leg) => leg.map(({ id }) => id)));
    if (shortcut !== null) {
      const trace = { rerankSkippedReason: 'unanimity', unanimity: { agreements: shortcut.agreements } };
      return [fused, { reranked: false, ...trace }];
    }
    const head = fused.slice(0, rerankTopN);
    const documents = head.map((result) => ({ id: result.id, text: documentText(result) }));
    this.calls.push({ to: 'rerank', query, documents });
    if (this.ranking.fails) {
      this.failed('rerank');
      return [fused, { reranked: false }];
    }
    const reversed = head.map((_, place) => ({ index: head.length - 1 - place, score: head.length - place }));
    const hits = this.ranking.hits ?? reversed;
    const scores = hits.filter(({ index }) => head[index] !== undefined).map(({ score }) => score);
    const scored = rerankedHead(head, { hits }).map((result, place) => ({ ...result, rerankScore: scores[place] }));
    return [[...scored, ...fused.slice(rerankTopN)], { reranked: true }];
  }

  run() {
    const { query, mode: wanted, topK } = this.request;
    const embedder = this.vector !== undefined;
    const mode = !embedder ? 'bm25' : wanted === 'auto' ? 'hybrid' : wanted;
    const bm25 = this.bm25Leg().map((chunk, bm25Rank) => ({ ...chunk, bm25Rank }));
    const vector = (mode === 'bm25' ? [] : this.vectorLeg()).map(({ similarity, ...chunk }) => ({
      ...chunk,
      vectorSimilarity: similarity,
    }));
    const single = (leg) => leg.map((one, rank) => ({ ...one, score: 1 / (K + rank + 1) }));
    const fused =
      mode === 'hybrid' ? reciprocalRankFusion([bm25, vector], K) : single(mode === 'semantic' ? vector : bm25);
    const [final, rerankTrace] = this.rerank(reweight(query, fused), bm25, vector);
    return {
      results: final.slice(0, topK).map(({ metadata, tags, ...result }) => result),
      trace: {
        mode,
        compiledQuery: this.compiled(query),
        bm25Count: bm25.length,
        vectorCount: vector.length,
        fellBackToBM25: !embedder && (wanted === 'semantic' || wanted === 'hybrid'),
        ...rerankTrace,
        ...(this.errorStage && { errorStage: this.errorStage }),
        attempts: this.attempts,
      },
      calls: this.calls,
      timed: ['bm25', 'vector'],
    };
  }
}

export const operations = { 'retrieval.search': (request) => new Search(request).run() };
