// Pull request 10 and its follow-ups on autoLanguageFilter, the reranker, the ad-hoc cache and the trace, with the facts of
// augur.ts: AUGUR-POOL-*, AUGUR-FAST-*, AUGUR-MIN-*, AUGUR-CAND-*, AUGUR-LANG-*, AUGUR-ADHOC-*, AUGUR-TRACE-*.

import { adaptWeight, composeFilter, fingerprint, pickVectorWeight, weightedRrf } from './fusion.mjs';
import { decide } from './routing.mjs';

const TOP_K = 10;
const GATHERED = 50;
const POOL = 30;
const CACHED = 8;

const passes = (item, filter) => Object.entries(filter ?? {}).every(([key, value]) => item.metadata?.[key] === value);

function search({ request, capabilities, alwaysRerank, reranker = null, autoLanguageFilter = false, vec, kw }) {
  const { query, topK = TOP_K, filter: userFilter, minScore } = request;
  const calls = [];
  const decision = decide(request, capabilities, alwaysRerank, reranker !== null);
  const { strategy, reranked, signals } = decision;
  const prior = pickVectorWeight(signals);

  const side = (call, items, limit, filter) => {
    calls.push({ call, topK: limit, ...(filter && { filter }) });
    return items.filter((item) => passes(item, filter)).slice(0, limit);
  };
  const searchVector = (limit, filter) => side('searchVector', vec, limit, filter);
  const searchKeyword = (limit, filter) => side('searchKeyword', kw, limit, filter);
  const scores = (items) => items.map(({ score }) => score);

  function retrieve(filter) {
    if (reranked) {
      const vectors = capabilities.vector ? searchVector(GATHERED, filter) : [];
      const keywords = capabilities.keyword ? searchKeyword(GATHERED, filter) : [];
      return weightedRrf(vectors, keywords, adaptWeight(prior, scores(vectors), scores(keywords))).slice(0, POOL);
    }
    if (strategy === 'keyword') return searchKeyword(topK, filter);
    if (strategy !== 'hybrid') return searchVector(topK, filter);
    const vectors = searchVector(4 * topK, filter);
    return weightedRrf(vectors, searchKeyword(4 * topK, filter), prior).slice(0, topK);
  }

  const pinned = userFilter !== undefined && Object.hasOwn(userFilter, 'lang');
  const language = autoLanguageFilter && signals.language !== 'en' && !pinned ? signals.language : null;
  let candidates = retrieve(composeFilter(userFilter, language));
  const dropped = language !== null && candidates.length === 0;
  if (dropped) candidates = retrieve(userFilter);

  let results = candidates;
  if (reranked && candidates.length > 0) {
    calls.push({ call: 'rerank', candidates: candidates.map(({ id }) => id), topK });
    results = candidates.toReversed();
  }
  results = results.slice(0, topK).filter(({ score }) => minScore === undefined || score >= minScore);
  return {
    results: results.map(({ id, score }) => ({ id, score })),
    strategy,
    reranked,
    candidates: candidates.length,
    calls,
    ...(language && { autoLanguageFilter: language }),
    ...(dropped && { autoLanguageFilterDropped: true }),
  };
}

function searchAdHoc({ adapter, adHocCacheSize = CACHED, searches }) {
  const cache = new Set(); // Fingerprints, the least recently used one first.
  const traces = searches.map(({ documents = [] }) => {
    if (documents.length === 0) return { adapter, indexed: false };
    const key = fingerprint(documents);
    const hit = cache.delete(key);
    if (adHocCacheSize > 0) {
      if (cache.size >= adHocCacheSize) cache.delete(cache.values().next().value);
      cache.add(key);
    }
    return { adapter: 'in-memory', indexed: !hit, adHoc: true, ...(hit && { adHocCacheHit: true }) };
  });
  return { traces };
}

export const operations = { 'augur.search': search, 'augur.searchAdHoc': searchAdHoc };
