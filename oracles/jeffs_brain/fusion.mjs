// Algorithms document: Reciprocal Rank Fusion, Unanimity shortcut, Rerank tail preservation.

import { byCodeUnits } from './retry.mjs';

const DEFAULT_K = 60;
const FILLED = ['title', 'summary', 'content', 'bm25Rank', 'vectorSimilarity'];
const blank = (value) => value === undefined || value === '';

export function reciprocalRankFusion(lists, k = DEFAULT_K) {
  const safeK = k > 0 ? k : DEFAULT_K;
  const buckets = new Map();
  for (const list of lists) {
    list.forEach((candidate, rank) => {
      const contribution = 1 / (safeK + rank + 1);
      const existing = buckets.get(candidate.id);
      if (existing === undefined) {
        buckets.set(candidate.id, { ...candidate, score: contribution });
        return;
      }
      for (const field of FILLED) {
        if (blank(existing[field]) && !blank(candidate[field])) existing[field] = candidate[field];
      }
      existing.score += contribution;
    });
  }
  return [...buckets.values()].sort((a, b) => b.score - a.score || byCodeUnits(a.path, b.path));
}

export function unanimityShortcut(bm25, vector, agreeMin = 2) {
  const window = 3;
  if (bm25.length < window || vector.length < window) return null;
  const ids = bm25.slice(0, window);
  const agreements = ids.filter((id, place) => id === vector[place]).length;
  return agreements < agreeMin ? null : { ids, agreements };
}

export function documentText({ title, summary, content }) {
  if (title !== '' && summary !== '') return `${title}\n${summary}`;
  return title || summary || content.trim().slice(0, 280);
}

/** The head as the reranker orders it: `ranking` reverses it, or lists hits by the index of their document. */
export function rerankedHead(head, ranking) {
  if (ranking.order === 'reverse') return head.toReversed();
  return ranking.hits.filter(({ index }) => head[index] !== undefined).map(({ index }) => head[index]);
}

export const operations = {
  'fusion.rrf': ({ lists, k }) => ({ results: reciprocalRankFusion(lists, k) }),
  'rerank.unanimity': ({ bm25, vector, agreeMin }) => ({ shortcut: unanimityShortcut(bm25, vector, agreeMin) }),
  'rerank.documentText': (document) => ({ text: documentText(document) }),
  'rerank.apply': ({ results, topN, ranking }) => ({
    ids: [...rerankedHead(results.slice(0, topN), ranking), ...results.slice(topN)].map(({ id }) => id),
  }),
};
