/** An event on its way to one receiver. */
export interface Entry {
  readonly id: string
  readonly type: string
  readonly subject: string
  /** The record whose events stay in order: the event's source and subject. */
  readonly record: string
  /** When it happened, as everything here in milliseconds since the epoch. */
  readonly time: number
  /** How many attempts there were. */
  readonly attempt: number
  /** When it may be tried; BEFORE_ALL: it goes first. */
  readonly dueAt: number
  /** The number that it is stored under; undefined: it isn't stored yet, as it was just read from the feed. */
  readonly number?: number | undefined
  /** The span in which it was recorded, if its request was sampled. */
  readonly traceparent?: string | undefined
  /** Undefined: it is stored. */
  readonly body?: string | undefined
}

export const BEFORE_ALL = 0

export type Queue = ReturnType<typeof createQueue>

/**
 * The events on their way to one receiver. A record's next event waits until the one before has arrived; records don't
 * wait for each other.
 */
export function createQueue() {
  const entries = new Map<string, Entry>()
  /** The ids of each record's events, in their order. */
  const records = new Map<string, string[]>()
  const sending = new Set<string>()

  function* heads(): Generator<Entry> {
    for (const [id = ''] of records.values()) {
      const head = sending.has(id) ? undefined : entries.get(id)
      if (head) yield head
    }
  }

  return {
    size: () => entries.size,
    /** How many are being sent. */
    sending: () => sending.size,
    get: (id: string): Entry | undefined => entries.get(id),
    all: (): readonly Entry[] => [...entries.values()],
    /** The events of a record, in their order. */
    ofRecord: (record: string): readonly Entry[] => (records.get(record) ?? []).flatMap((id) => entries.get(id) ?? []),
    /** Appends an event to those of its record, or replaces it in place. */
    put(entry: Entry): void {
      const { id, record } = entry
      if (!entries.has(id)) records.set(record, [...(records.get(record) ?? []), id])
      entries.set(id, entry)
    },
    remove({ id, record }: Entry): void {
      entries.delete(id)
      sending.delete(id)
      const rest = (records.get(record) ?? []).filter((one) => one !== id)
      if (rest.length === 0) records.delete(record)
      else records.set(record, rest)
    },
    /** The event to be sent now: the one that has been due for longest. It counts as being sent until it is settled. */
    next(now: number): Entry | undefined {
      let due: Entry | undefined
      for (const head of heads()) if (head.dueAt <= now && head.dueAt < (due?.dueAt ?? now + 1)) due = head
      if (due) sending.add(due.id)
      return due
    },
    /** An event that was not delivered may be sent again when it is due. */
    settle: (id: string): boolean => sending.delete(id),
    /** When the next event is due. */
    dueAt: (): number => [...heads()].reduce((first, { dueAt }) => Math.min(first, dueAt), Number.POSITIVE_INFINITY),
  }
}
