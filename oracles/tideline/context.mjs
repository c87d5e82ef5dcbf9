// Recall & ranking, The context block and the block before a turn: TIDE-CTX-*, TIDE-AUTO-04 to TIDE-AUTO-07.

import { autoRecallFacts, candidates, recall } from './recall.mjs';
import { scan } from './threats.mjs';

const BUDGET = 1200;
const LONGEST = 10_000;

const escaped = (text) => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function contextBlock({ records, query, now, threatScan, maxChars = BUDGET, limit, origin }) {
  const facts = recall({ records: candidates(records, origin, now), query, now, options: { limit } });
  const lines = facts.map(({ record: { segment, content } }) => {
    const threats = threatScan === 'strict' ? scan(content, 'strict') : [];
    const notice = `[BLOCKED] this ${segment} fact matched threat pattern(s): ${threats.join(', ')} — omitted from context`;
    return `- [${segment}] ${threats.length > 0 ? notice : escaped(content)}`;
  });
  const block = [];
  for (const line of lines) {
    if ([...block, line].join('\n').length > maxChars) break;
    block.push(line);
  }
  return block.length > 0 ? block.join('\n') : null;
}

function autoRecallBlock(request) {
  const bullets = autoRecallFacts(request).map(({ segment, content }) => {
    const threats = scan(content, 'strict');
    if (threats.length === 0) return `- [${segment}] ${content}`;
    const found = `a recalled ${segment} fact matched threat pattern(s): ${threats.join(', ')}`;
    return `- [BLOCKED] ${found} — omitted from context; use recall_memory to inspect or remove it`;
  });
  if (bullets.length === 0) return null;
  let text = bullets.join('\n').replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '');
  if (text.length > LONGEST) text = `${text.slice(0, LONGEST)}\n...[truncated ${text.length - LONGEST} chars]`;
  return `<untrusted-memory>\n${escaped(text)}\n</untrusted-memory>`;
}

export const operations = {
  'tideline.context': (request) => ({ block: contextBlock(request) }),
  'tideline.autoRecall': (request) => ({ untrustedBlock: autoRecallBlock(request), accessUnchanged: true }),
};
