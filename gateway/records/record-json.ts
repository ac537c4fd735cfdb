import { onceForEach } from '../../shared/once-for-each.ts'

/** The JSON of a record. */
export type RecordJson<Message> = (message: Message) => string

/** Makes a message's record as JSON: once, where the service answers the same object again. */
export function recordJson<Message extends object>(toRecord: (message: Message) => object): RecordJson<Message> {
  return onceForEach((message) => JSON.stringify(toRecord(message)))
}

/** A page as JSON: the records under a name, and how many there are in all. */
export function pageJson(name: string, records: readonly string[], total: number): string {
  return `{"${name}":[${records.join()}],"total":${total}}`
}
