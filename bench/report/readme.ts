import type { Row, SectionResult } from '../result.ts'
import { short, table } from './markdown.ts'

/** The figures of a whole run, as `results.json` has them. */
export interface Figures {
  /** ISO 8601. */
  readonly at: string
  readonly machine: string
  readonly sections: Readonly<Record<string, SectionResult>>
}

const BEGIN = '<!-- Figures: `npm run bench` writes them. -->'
const END = '<!-- End of figures. -->'

interface Compared {
  readonly what: string
  readonly section: string
  /** Names of two rows of that section. */
  readonly ours: string
  readonly theirs: string
}

const SEPARATE = 'Mint, three processes'

const COMPARED: readonly Compared[] = [
  { what: 'GET by id', section: 'get', ours: 'Mint', theirs: 'Express from memory' },
  { what: 'GET by id', section: 'get', ours: 'Mint', theirs: 'node:http alone, from memory' },
  { what: 'List of 50 with its total', section: 'list', ours: 'Mint', theirs: 'Express from memory' },
  { what: 'POST, on disk before the answer', section: 'post', ours: 'Mint', theirs: 'Fastify + node:sqlite' },
  { what: 'POST, on disk before the answer', section: 'post', ours: 'Mint', theirs: 'NestJS + TypeORM + SQLite' },
  { what: 'POST, on disk before the answer', section: 'post', ours: 'Mint', theirs: 'Express + Emmett on SQLite' },
  {
    what: 'POST, each fsync 5 ms slower',
    section: 'slow-fsync',
    ours: 'Mint',
    theirs: 'one fsync a request (Fastify + node:sqlite)',
  },
  { what: 'GET by id, MongoDB', section: 'production-get', ours: SEPARATE, theirs: 'Express + Mongoose' },
  { what: 'List of 50, MongoDB', section: 'production-list', ours: SEPARATE, theirs: 'Express + Mongoose' },
  { what: 'POST, MongoDB', section: 'production-post', ours: SEPARATE, theirs: 'Express + Mongoose' },
  { what: 'POST, MongoDB', section: 'production-post', ours: SEPARATE, theirs: 'Express + Emmett on MongoDB' },
  {
    what: 'POST, MongoDB',
    section: 'replicas',
    ours: 'three contracts processes',
    theirs: 'one contracts process',
  },
]

/** Figures without a comparison: their names in the README, their sections and rows. */
const ALONE: readonly (readonly [what: string, section: string, row: string])[] = [
  ['Page of 50 at 1,000,000 contracts', 'million', 'page of 50, at 1,000,000'],
  [
    'First search that finds 250,000 of 1,000,000 contracts, with their number',
    'million',
    'first search with page and total, 250,000 matches, at 1,000,000',
  ],
  ['The same search again', 'million', 'the same search again, with page and total, 250,000 matches, at 1,000,000'],
  ['Views of 1,000,000 contracts built from MongoDB’s log', 'production-million', 'building the views'],
  ['Start to the first answer', 'start', 'node’s start to the first answer'],
  ['`npm start` to the first answer', 'start', '`npm start` to the first answer'],
  ['Idle memory', 'start', 'idle memory, embedded'],
  ['Idle memory of the contracts service as a process of its own', 'start', 'idle memory, contracts alone'],
]

/** The README with these figures between its two marks. Ratios are ranges over the rounds. */
export function withFigures(readme: string, { at, machine, sections }: Figures): string {
  const [before, rest] = readme.split(BEGIN)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined) throw new Error(`README.md lacks ${BEGIN} or ${END}`)
  const row = (section: string, name: string): Row => {
    const found = sections[section]?.rows.find(({ what }) => what === name)
    if (!found) throw new Error(`${section}: ${name} was not measured`)
    return found
  }
  const compared = COMPARED.map(({ what, section, ours, theirs }) => {
    const [our, their] = [row(section, ours), row(section, theirs)]
    return [`${what}: ${ours}`, short(our.value), theirs, short(their.value), ratios(our, their)]
  })
  const alone = ALONE.map(([what, section, name]) => [what, shown(row(section, name))])
  const figures = [
    BEGIN,
    `Measured on ${at.slice(0, 10)} on one machine, shared with others, load included: ${machine}.`,
    table(['measured', 'requests/s', 'compared with', 'requests/s', 'ratio'], compared),
    table(['also measured', 'result'], alone),
    END,
  ]
  return `${before}${figures.join('\n\n')}${after}`
}

const shown = ({ value, unit }: Row): string => `${short(value)} ${unit}`

/** From our slowest round ÷ their fastest to our fastest ÷ their slowest. */
function ratios(ours: Row, theirs: Row): string {
  const [ourLowest, ourHighest] = spreadOf(ours)
  const [theirLowest, theirHighest] = spreadOf(theirs)
  const [from, to] = [ourLowest / theirHighest, ourHighest / theirLowest].map((one) => `${Number(one.toPrecision(2))}`)
  return `${from === to ? from : `${from} – ${to}`} ×`
}

const spreadOf = ({ value, spread = [value, value] }: Row): readonly [number, number] => spread
