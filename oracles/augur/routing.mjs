// Pull request 10, HeuristicRouter alwaysRerank option, with the facts of router.ts: AUGUR-ROUTE-*, AUGUR-HASR-*,
// AUGUR-RULE-*, AUGUR-RERANK-*, AUGUR-REASON-*.

import { computeSignals } from './signals.mjs';

const FLOOR = 800; // Milliseconds.
const AMBIGUOUS = 0.6;

// The first rule that holds decides: [holds, strategy, reason]. `s` are the signals, `can` the capabilities.
const SEMANTIC = 'semantic search';
const RULES = [
  [(s) => s.hasQuotedPhrase, 'keyword', () => 'query contains quoted phrase'],
  [(s) => s.hasCodeLike && s.wordCount <= 6, 'keyword', () => 'short query with code-like syntax → keyword'],
  [
    (s) => (s.hasSpecificTokens || s.hasDateOrVersion) && s.wordCount <= 6,
    'literal',
    (s) => {
      const found = s.hasDateOrVersion ? 'date/version/RFC token' : 'specific identifiers without code syntax';
      return `short query with ${found} → hybrid (keyword precision + vector recall)`;
    },
  ],
  [(s) => s.wordCount <= 2, 'short', () => 'very short query (≤2 tokens) → prefer keyword'],
  [(s) => s.hasNamedEntity && s.wordCount <= 6 && !s.isQuestion, 'keyword', () => 'named entity detected → keyword'],
  [
    (s) => s.questionType === 'procedural' && s.wordCount >= 5,
    'vector',
    () => `procedural question (how/why) → ${SEMANTIC}`,
  ],
  [
    (s) => s.questionType === 'definitional' && s.wordCount >= 3,
    'vector',
    () => `definitional question (what is X) → ${SEMANTIC}`,
  ],
  [
    (s) => s.questionType === 'factoid' && s.wordCount >= 3,
    'hybrid',
    () => 'factoid question (who/when/where/which) → hybrid',
  ],
  [(s) => s.isQuestion && s.wordCount >= 5, 'vector', () => `natural-language question → ${SEMANTIC}`],
  [(s) => s.ambiguity > AMBIGUOUS, 'vector', () => 'ambiguous query → semantic + rerank'],
  [() => true, 'default', () => 'default → hybrid (no strong signal either way)'],
];

/** [strategy, reasons] before reranking. */
function pick(request, can, signals) {
  if (request.forceStrategy) return [request.forceStrategy, [`forceStrategy=${request.forceStrategy}`]];
  if (!can.keyword && !can.hybrid) return ['vector', ['adapter is vector-only']];
  if (signals.language !== 'en') return ['vector', [`${signals.language} query → ${SEMANTIC}`]];
  const [, wanted, reason] = RULES.find(([holds]) => holds(signals));
  const reasons = [reason(signals)];
  const hybrid = can.hybrid || (can.vector && can.keyword);
  const chosen = {
    short: can.keyword ? 'keyword' : 'vector',
    literal: hybrid ? 'hybrid' : 'keyword',
    default: hybrid ? 'hybrid' : 'vector',
  }[wanted];
  if (chosen) return [chosen, reasons];
  const fallsBack = wanted === 'hybrid' ? !hybrid : wanted === 'keyword' && !can.keyword;
  if (!fallsBack) return [wanted, reasons];
  return ['vector', [...reasons, `${wanted} not supported by adapter, falling back to vector`]];
}

export function decide(request, can, alwaysRerank = false, hasReranker = true) {
  const signals = computeSignals(request.query);
  const [strategy, reasons] = pick(request, can, signals);
  const inBudget = request.latencyBudgetMs === undefined || request.latencyBudgetMs >= FLOOR;
  const ordinary = signals.hasNegation || (strategy !== 'keyword' && inBudget);
  const wanted = strategy === 'rerank' || (alwaysRerank ? inBudget : ordinary);
  const reranked = wanted && hasReranker;
  if (wanted && !hasReranker) reasons.push('reranking skipped (no reranker configured)');
  else if (!wanted && strategy !== 'keyword') reasons.push('reranking skipped (latency budget)');
  else if (wanted && alwaysRerank && strategy === 'keyword') {
    reasons.push('alwaysRerank=true → multi-stage rerank on keyword strategy');
  } else if (wanted && signals.hasNegation && strategy !== 'rerank') reasons.push('negation detected → reranking forced');
  else if (wanted) reasons.push('reranking enabled (latency budget allows)');
  return { strategy, reranked, reasons, signals };
}

export const operations = {
  'augur.route': ({ request, capabilities, alwaysRerank, hasReranker }) => {
    const { strategy, reranked, reasons } = decide(request, capabilities, alwaysRerank, hasReranker);
    return { strategy, reranked, reasons };
  },
  'augur.decideRerank': ({ strategy, latencyBudgetMs, alwaysRerank, hasReranker }) => {
    const request = { query: 'pooling', forceStrategy: strategy, latencyBudgetMs };
    const decision = decide(request, { vector: true, keyword: true, hybrid: true }, alwaysRerank, hasReranker);
    const saysNoReranker = decision.reasons.includes('reranking skipped (no reranker configured)');
    return { reranked: decision.reranked, saysNoReranker };
  },
  'augur.routerName': ({ alwaysRerank = false }) => ({ name: alwaysRerank ? 'heuristic-v1' : 'heuristic-v1+fast-keyword' }),
};
