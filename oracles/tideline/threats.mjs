// Recall & ranking, The context block: the threat scan. The page names no pattern; the table is the one of the repository
// that it names (injection-patterns.ts), written here as phrases. TIDE-CTX-05b has the rule.

const SCOPES = ['all', 'context', 'strict'];

// A phrase is words with white space between them. `…` stands for any number of further words, `a/b` for either word,
// `_` joins words of one alternative, and `|` at an end stands for the end of a word.
function phrase(text) {
  const parts = text.split(' ').map((part) => {
    if (part === '…') return '(?:\\w+\\s+)*';
    const [, start, alternatives, end] = /^(\|?)(.*?)(\|?)$/.exec(part);
    const words = alternatives.split('/').map((word) => word.replaceAll('.', '\\.').replaceAll('_', '\\s+'));
    return `${start && '\\b'}(?:${words.join('|')})${end && '\\b'}`;
  });
  return parts.reduce((whole, part, place) => whole + (place > 0 && !parts[place - 1].endsWith(')*') ? '\\s+' : '') + part);
}

const TABLE = [
  ['all', 'ignore_instructions', 'ignore … previous/all/above/prior … instructions'],
  ['all', 'system_prompt_override', 'system prompt override'],
  ['all', 'disregard_rules', 'disregard … instructions/rules/guidelines/safety'],
  ['all', 'no_restrictions', 'act as if … no restrictions/rules/limits'],
  ['all', 'html_comment_injection', /<!--[^>]*(?:ignore|override|system\s+prompt|secret|hidden\s+instruction)[^>]*-->/i],
  ['all', 'translate_and_execute', 'translate … and execute/run/eval'],
  ['all', 'do_not_tell_user', 'do not tell/inform/mention_to the user'],
  ['context', 'you_are_now', 'you are … now a/an/the|'],
  ['context', 'pretend', 'pretend you_are/to_be'],
  ['context', 'reveal_system_prompt', 'output/reveal/print/repeat … system/initial/original prompt'],
  ['context', 'respond_without_safety', 'respond/answer/reply without … restrictions/filters/safety'],
  ['context', 'you_have_been_updated', 'you have been updated/upgraded/patched/reprogrammed to'],
  ['context', 'c2_register_node', 'register as a node'],
  ['context', 'c2_beacon', 'heartbeat/beacon/check-in/checkin to/with|'],
  ['context', 'c2_pull_tasks', '|pull … task/tasking/tasks|'],
  ['context', 'c2_must_connect', 'you must … register/connect/report/beacon|'],
  ['context', 'c2_framework', '|cobalt_strike/sliver/havoc/mythic/metasploit|'],
  ['context', 'command_and_control', '|command_and_control/c2_server/c2_channel/c2_node|'],
  ['context', 'anti_forensic_unset', /\bunset\s+(?:\w+\s+)*(?:BRIGADE|CLAUDE|ANTHROPIC|OPENAI|AGENT)/],
  ['context', 'identity_override', /\bname\s+yourself\s+\w/i],
  ['context', 'anti_forensic_disk', 'never … create/write … script/file … disk'],
  ['context', 'anti_forensic_oneliner', /only\s+use\s+one[\s-]?liners?\b/i],
  ['context', 'c2_network_connect', 'connect to the network|'],
  ['all', 'exfil_curl_secret', /(?:curl|wget)\b[^\n]*(?:KEY|TOKEN|SECRET|PASSWORD)/i],
  ['all', 'exfil_cat_secrets', /\bcat\b[^\n]*(?:credentials|\.(?:env|netrc|pgpass|npmrc|pypirc))\b/i],
  ['strict', 'exfil_send_url', /(?:send|post|upload|transmit|exfiltrate)\s+(?:\w+\s+)*to\s+https?:\/\//i],
  ['strict', 'exfil_history', 'include/output/print/share/leak/send/reveal/forward … conversation/chat_history/full_context'],
  ['strict', 'persistence_ssh', /authorized_keys|\.ssh\b|\.brigade\/\.env/i],
  [
    'strict',
    'persistence_context_file',
    'update/modify/append_to/overwrite/write_to/edit/change/add_to … AGENTS.md/CLAUDE.md/.cursorrules/.clinerules/SOUL.md',
  ],
  [
    'strict',
    'hardcoded_secret',
    /(?:api[_-]?key|access[_-]?token|secret|password)\s*[:=]\s*["'](?:[^"']{20,}["']|[^"'\s]{20,})/i,
  ],
].map(([scope, name, form]) => ({ scope, name, pattern: typeof form === 'string' ? new RegExp(phrase(form), 'i') : form }));

const INVISIBLE = /[\u200b-\u200d\u202a-\u202e\u2060\u2062-\u2064\u2066-\u2069\ufeff]/;

export function scan(content, scope) {
  const wide = SCOPES.indexOf(scope);
  const found = TABLE.filter((row) => SCOPES.indexOf(row.scope) <= wide && row.pattern.test(content));
  return [...found.map(({ name }) => name), ...(INVISIBLE.test(content) ? ['invisible_unicode'] : [])];
}

export const operations = { 'tideline.threatScan': ({ content, scope }) => ({ threats: scan(content, scope) }) };
