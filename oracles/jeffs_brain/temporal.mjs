// Query DSL document, Temporal expansion: Recognised phrases, Anchor handling, Emitted date formats.

process.env.TZ = 'UTC'; // Anchor handling: all forms are parsed in UTC, also by the fallback.

const ANCHOR = /^(\d{4})([-/])(\d{2})\2(\d{2})(?:\s+\([a-z]{3}\))?(?:\s+(\d{2}):(\d{2})(?::(\d{2}))?)?$/i;
const SPACE = '(?:(?!\\ufeff)[\\s\\u0085])+'; // The property White_Space, without the flag u: letters fold as in ASCII.
const RELATIVE = new RegExp(`\\b(\\d+)${SPACE}(day|week|month)s?${SPACE}ago\\b`, 'gi');
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const LAST_WEEKDAY = new RegExp(`\\blast${SPACE}(${WEEKDAYS.join('|')})\\b`, 'gi');
const EARLIEST = /first|earlier|before/i;
const LATEST = /most recent|latest|last time/i;

/** The instant of a question date, or null. */
function parseQuestionDate(value) {
  const text = (value ?? '').trim();
  const form = ANCHOR.exec(text);
  let date = new Date(text);
  if (form) {
    const [year, month, day, hour, minute, second] = [1, 3, 4, 5, 6, 7].map((group) => Number(form[group] ?? 0));
    date = new Date(0);
    date.setUTCFullYear(year, month - 1, day);
    date.setUTCHours(hour, minute, second);
  }
  return Number.isNaN(date.getTime()) ? null : date;
}

const two = (number) => String(number).padStart(2, '0');

/** Year, month and day with a separator; null for a year without four digits. */
function written(date, separator) {
  const year = date.getUTCFullYear();
  if (!(year >= 0 && year <= 9999)) return null;
  return [String(year).padStart(4, '0'), two(date.getUTCMonth() + 1), two(date.getUTCDate())].join(separator);
}

/** Month-boundary and day-arithmetic edge cases. */
function back(anchor, count, unit) {
  const date = new Date(anchor);
  if (unit === 'month') date.setUTCMonth(date.getUTCMonth() - count);
  else date.setUTCDate(date.getUTCDate() - count * (unit === 'week' ? 7 : 1));
  return date;
}

function lastWeekday(anchor, name) {
  const date = new Date(anchor);
  do date.setUTCDate(date.getUTCDate() - 1);
  while (date.getUTCDay() !== WEEKDAYS.indexOf(name) && !Number.isNaN(date.getTime()));
  return date;
}

export function expand(question, questionDate) {
  const anchor = parseQuestionDate(questionDate);
  const dateHints = [];
  if (anchor === null) return { originalQuery: question, expandedQuery: question, dateHints, resolved: false };
  const suffixed = (phrase, date, before) => {
    const slashed = written(date, '/');
    if (slashed === null) return phrase;
    if (!dateHints.includes(slashed)) dateHints.push(slashed);
    return `${phrase} (${before}${slashed})`;
  };
  let expandedQuery = question
    .replace(RELATIVE, (phrase, count, unit) =>
      suffixed(phrase, back(anchor, Number(count), unit.toLowerCase()), 'around '),
    )
    .replace(LAST_WEEKDAY, (phrase, name) => suffixed(phrase, lastWeekday(anchor, name.toLowerCase()), ''));
  if (EARLIEST.test(question)) expandedQuery += ' [Note: look for the earliest dated event]';
  else if (LATEST.test(question)) expandedQuery += ' [Note: look for the most recently dated event]';
  return { originalQuery: question, expandedQuery, dateHints, resolved: dateHints.length > 0 };
}

function dateTokens(value) {
  const date = parseQuestionDate(value);
  if (date === null) return [];
  const name = (options) => new Intl.DateTimeFormat('en', { timeZone: 'UTC', ...options }).format(date);
  const forms = [written(date, '-'), written(date, '/'), written(date, '/')?.slice(0, 4)];
  return [...forms.filter((form) => form), name({ weekday: 'long' }), name({ month: 'long' })];
}

export const operations = {
  'temporal.expand': ({ question, questionDate }) => expand(question, questionDate),
  'temporal.parseDate': ({ value }) => ({ instant: parseQuestionDate(value)?.toISOString() ?? null }),
  'temporal.dateTokens': ({ value }) => ({ tokens: dateTokens(value) }),
  'temporal.augment': ({ question, questionDate }) => {
    const dates = expand(question, questionDate).dateHints.map((date) => ` ${date} ${date.replaceAll('/', '-')}`);
    return { query: question + dates.join('') };
  },
};
