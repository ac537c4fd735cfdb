import type { History, Outcome, Values } from '../history.ts'
import type { RecordHistory } from '../history-at-end.ts'
import { wordOf } from './per-record.ts'

/** Errors in the end state that names reveal: records lost, duplicated, or never requested. */
export function violationsAtEnd(history: History): string[] {
  const [end] = history.end
  if (end === undefined) return ['the state at the end was not read']
  const contracts = history.create.map(({ outcome, asked, record }) => ({
    name: asked.serviceName,
    outcome,
    id: record?.id,
  }))
  const businesses = history.business.map(({ outcome, legalName }) => ({ name: legalName, outcome, id: undefined }))
  return [
    ...wrongCounts(
      'contract',
      contracts,
      end.contracts.map(({ serviceName, id }) => ({ name: serviceName, id })),
    ),
    ...wrongCounts(
      'business',
      businesses,
      end.businesses.map((name) => ({ name, id: undefined })),
    ),
    ...history['record-history'].flatMap((one) => wrongFold(one)),
    ...wrongEdits(history),
  ]
}

interface Named {
  readonly name: string
  readonly id: number | undefined
}

/** Each name belongs to one request, so a name that occurs twice is a request that was carried out twice. */
function wrongCounts(what: string, asked: readonly (Named & Ended)[], found: readonly Named[]): string[] {
  const byName = Map.groupBy(found, ({ name }) => name)
  const names = new Set(asked.map(({ name }) => name))
  const wrong = lastOfEach(asked, ({ name }) => name).flatMap(({ name, outcome, id }) => {
    const there = byName.get(name) ?? []
    if (there.length > 1) return [`${what} ${name} is there ${there.length} times`]
    if (outcome === 'ok' && there.length === 0) return [`${what} ${name} was acknowledged and is lost`]
    if (outcome === 'ok' && there[0]?.id !== id) return [`${what} ${name} was acknowledged as another one`]
    if (outcome === 'failed' && there.length > 0) return [`${what} ${name} was refused and is there`]
    return []
  })
  const strange = found.filter(({ name }) => !names.has(name))
  return [...wrong, ...strange.map(({ name }) => `${what} ${name} is there, and nobody asked for it`)]
}

interface Ended {
  readonly outcome: Outcome
}

/** A refused request may have been retried with its key; its last attempt may be carried out. */
function lastOfEach<Asked extends Ended>(asked: readonly Asked[], keyOf: (one: Asked) => string): Asked[] {
  const requests = Map.groupBy(asked, keyOf).values()
  return [...requests].map((sent) => sent.find(({ outcome }) => outcome !== 'failed') ?? (sent[0] as Asked))
}

/** A record's events are numbered without gaps, and fold to the record. */
function wrongFold({ record, events }: RecordHistory): string[] {
  const folded: Partial<Values> = Object.assign({}, ...events.map(({ data }) => data))
  const isRight =
    events.every(({ version }, index) => version === index + 1) &&
    record.version === events.length &&
    (['serviceName', 'serviceType', 'notes', 'serviceDate'] as const).every((field) => folded[field] === record[field])
  return isRight ? [] : [`the history of contract ${record.id} does not come to the record`]
}

/** Every acknowledged edit is in its record's history with the version in its answer, and no refused one is. */
function wrongEdits(history: History): string[] {
  const events = new Map(history['record-history'].map(({ record, events }) => [record.id, events]))
  return lastOfEach(history.edit, ({ changes }) => wordOf(changes)).flatMap(({ id, changes, outcome, record }) => {
    const ofRecord = events.get(id)
    if (ofRecord === undefined) return [`the history of contract ${id}, which was edited, was not read`]
    const done = ofRecord.filter(({ data }) => wordOf(data) === wordOf(changes))
    const edit = `the edit ${JSON.stringify(changes)} of contract ${id}`
    if (done.length > 1) return [`${edit} was made ${done.length} times`]
    if (outcome === 'ok' && done[0]?.version !== record?.version) return [`${edit} was acknowledged and is lost`]
    if (outcome === 'failed' && done.length > 0) return [`${edit} was refused and was made`]
    return []
  })
}
