// Answers one JSON question on stdin with what this engine does, in sparse tables where there are many code points.
import { readFileSync } from 'node:fs'

const DAY = 86_400_000
const ask = JSON.parse(readFileSync(0, 'utf8'))

const unassigned = /\p{Cn}/u
const assigned = []
for (let point = 0; point <= 0x10ffff; point++) {
  const text = String.fromCodePoint(point)
  if (!unassigned.test(text)) assigned.push([point, text])
}

// [first, last] of each run of code points that hold.
const ranges = (holds) => {
  const found = []
  for (const [point, text] of assigned) {
    if (!holds(text)) continue
    if (found.length && found.at(-1)[1] === point - 1) found.at(-1)[1] = point
    else found.push([point, point])
  }
  return found
}

// code point -> apply(prefix + it + suffix), where that is not before + it + after: the prefix and the suffix alone.
// Behind Latin-1, which engines treat apart, all texts are lines of one: a line feed is no context of any text.
const LATIN_1 = 256
const changes = (apply, [prefix, suffix]) => {
  const wholes = assigned.map(([, text]) => prefix + text + suffix)
  const lines = apply(wholes.slice(LATIN_1).join('\n')).split('\n')
  const applied = [...wholes.slice(0, LATIN_1).map(apply), ...lines]
  const [before, after] = [apply(prefix), apply(suffix)]
  const changed = {}
  assigned.forEach(([point, text], at) => {
    if (applied[at] !== before + text + after) changed[point] = applied[at]
  })
  return { before, after, changed }
}

// The two ways to lower-case, which the room takes for one.
const lower = (text) => {
  const lowered = text.toLocaleLowerCase('en')
  if (lowered !== text.toLowerCase()) throw new Error(`toLocaleLowerCase('en') is not toLowerCase(): ${text}`)
  return lowered
}

const property = (name) => {
  const pattern = new RegExp(`\\p{${name}}`, 'u')
  return ranges((text) => pattern.test(text))
}
const matches = ({ source, texts }) => {
  const pattern = new RegExp(source, 'gi')
  return texts.map((text) => [...text.matchAll(pattern)].map((match) => [match.index, match[0]]))
}

const monthsBack = (first, last, months) => {
  const found = []
  for (let day = first; day < last; day++) {
    for (let back = 0; back <= months; back++) {
      const date = new Date(day * DAY)
      date.setUTCMonth(date.getUTCMonth() - back)
      found.push(date.getTime() / DAY)
    }
  }
  return found
}

const weekdaysBack = (first, last) => {
  const found = []
  for (let day = first; day < last; day++) {
    for (let wanted = 0; wanted < 7; wanted++) {
      const date = new Date(day * DAY)
      do date.setUTCDate(date.getUTCDate() - 1)
      while (date.getUTCDay() !== wanted)
      found.push(date.getTime() / DAY)
    }
  }
  return found
}

const build = ([year, month, day, ...clock]) => {
  const date = new Date(0)
  date.setUTCFullYear(year, month, day)
  if (clock.length) date.setUTCHours(...clock)
  return iso(date)
}

const iso = (date) => (Number.isNaN(date.getTime()) ? null : date.toISOString())

process.stdout.write(
  JSON.stringify({
    engine: `V8 ${process.versions.v8}`,
    unicode: process.versions.unicode,
    assigned: ranges(() => true),
    properties: Object.fromEntries(ask.properties.map((name) => [name, property(name)])),
    whiteSpace: ranges((text) => /^\s$/.test(text)),
    trimmed: ranges((text) => text.trim() === ''),
    lowered: ask.contexts.map((context) => changes(lower, context)),
    composed: ask.compositions.map((context) => changes((text) => text.normalize('NFC'), context)),
    strings: ask.strings.map((text) => ({
      length: text.length,
      lower: lower(text),
      nfc: text.normalize('NFC'),
      trimmed: text.trim(),
      collapsed: text.replace(/\s+/g, ' '),
      words: text.split(/\s+/).filter((word) => word !== ''),
      middle: text.slice(1, 4),
      sanitised: text.replace(/[\p{P}\p{S}]+/gu, '_'),
      runs: text.match(/[\p{L}\p{Nd}]+/gu) ?? [],
    })),
    sorted: [...ask.strings].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
    matches: ask.patterns.map(matches),
    monthsBack: monthsBack(ask.firstDay, ask.lastDay, ask.months),
    weekdaysBack: weekdaysBack(ask.firstDay, ask.lastDay),
    parsed: ask.dates.map((text) => iso(new Date(text))),
    built: ask.parts.map(build),
    written: ask.instants.map((instant) => iso(new Date(instant))),
    weekdays: ask.instants.map((instant) => new Date(instant).getUTCDay()),
  }),
)
