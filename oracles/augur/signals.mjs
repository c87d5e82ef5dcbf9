// signals.ts of the repository that the pull request belongs to: AUGUR-SIG-*, AUGUR-DETECT-*.

const STOPWORDS = new Set(
  (
    'the a an and or but if to of in on at for with is are was were be been being this that these those it its i you we they'
  ).split(' '),
);
const NEGATIONS = new Set(['not', 'no', 'without', 'except', 'vs', 'never', 'neither', 'nor']);

// In the order of the tests.
const SCRIPTS = [
  ['ja', /[\u3040-\u30ff]/],
  ['ko', /[\uac00-\ud7af\u1100-\u11ff]/],
  ['zh', /[\u4e00-\u9fff]/],
  ['ru', /[\u0400-\u04ff]/],
  ['ar', /[\u0600-\u06ff\u0750-\u077f]/],
  ['hi', /[\u0900-\u097f]/],
  ['th', /[\u0e00-\u0e7f]/],
  ['he', /[\u0590-\u05ff]/],
  ['el', /[\u0370-\u03ff]/],
];

export const detectLanguage = (text) => SCRIPTS.find(([, script]) => script.test(text))?.[0] ?? 'en';

/** A word without up to 64 marks at each end. */
const bare = (word) => word.replace(/^["'(\[`]{1,64}/, '').replace(/["')\].,?!:`]{1,64}$/, '');

const isSpecific = (word) =>
  /^\d+$/.test(word) ||
  /^[A-Z0-9]{3,}$/.test(word) ||
  /^0x[0-9a-fA-F]+$/.test(word) ||
  [/[-_./]/, /[a-zA-Z]/, /\d/].every((part) => part.test(word));

function isCodeLike(word) {
  const name = bare(word);
  const camel = /[a-z][A-Z]/.test(name);
  const snake = name.includes('_') && /^[a-z][a-z0-9_]{1,64}$/i.test(name);
  const dotted = name.length >= 5 && /[a-z]\.[a-z]/i.test(name);
  const call = /^[a-zA-Z_]\w{0,128}\(/.test(name);
  const assignment = name.length >= 3 && name.includes('=') && /[a-zA-Z]/.test(name);
  return camel || snake || dotted || call || assignment || name.includes('::');
}

function isEntity(word) {
  const name = bare(word);
  if (name.length < 2 || !/^[A-Z]/.test(name) || STOPWORDS.has(name.toLowerCase())) return false;
  return /[a-z]/.test(name) || name.length >= 4;
}

const DATES = [/\b(?:19|20|21)\d\d\b/, /\bv?\d+\.\d+(?:\.\d+)?\b/, /\bRFC\s?\d{3,5}\b/i, /\bCVE-\d{4}-\d{4,7}\b/i];
const ASKS = /^(?:how|why|what|when|where|who|which|can|does|do|is|are|should|would|could)\b/i;
const TYPES = [
  ['factoid', /^(?:who|when|where|which)\b/],
  ['procedural', /^(?:how|why)\b/],
  ['definitional', /^what\s+(?:is|are|does|do|was|were)\b/],
];

export function computeSignals(query) {
  const text = query.trim();
  const words = text.split(/\s+/).filter((word) => word !== '');
  const lowered = words.map((word) => word.toLowerCase());
  const share = (count) => (words.length === 0 ? 0 : count / words.length);
  const isQuestion = text.endsWith('?') || ASKS.test(text);
  const hasSpecificTokens = words.some(isSpecific);
  const hasCodeLike = words.some(isCodeLike);
  const hasDateOrVersion = DATES.some((date) => date.test(text));
  const ambiguity =
    share(lowered.filter((word) => STOPWORDS.has(word)).length) +
    (words.length < 3 ? 0.4 : 0) -
    (hasSpecificTokens || hasCodeLike || hasDateOrVersion ? 0.3 : 0);
  return {
    wordCount: words.length,
    avgWordLen: share(words.join('').length),
    hasQuotedPhrase: /["'][^"']{2,}["']/.test(text),
    hasSpecificTokens,
    hasCodeLike,
    hasDateOrVersion,
    isQuestion,
    questionType: (isQuestion && TYPES.find(([, head]) => head.test(text.toLowerCase()))?.[0]) || null,
    hasNamedEntity: words.slice(1).some(isEntity),
    hasNegation: lowered.some((word) => NEGATIONS.has(word)),
    language: detectLanguage(text),
    ambiguity: Math.min(1, Math.max(0, ambiguity)),
  };
}

export const operations = {
  'augur.detectLanguage': ({ text }) => ({ language: detectLanguage(text) }),
  'augur.computeSignals': ({ query }) => computeSignals(query),
};
