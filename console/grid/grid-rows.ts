import type { ClientNames } from '../fields/client-names.ts'
import type { Field } from '../fields/fields.ts'
import type { Texts } from '../fields/texts.ts'
import type { PageContext } from '../frame/page.ts'
import { debounced } from '../lists/debounce.ts'
import { createAssistance } from '../records/assistance.ts'
import { contracts } from '../records/kinds.ts'
import { isOpen } from '../records/proposals.ts'
import { isBlank, pastedInto, type ReadRow, type Row, readRow, typed } from './rows.ts'

/** How long answers are collected before they change rows: hundreds of them, one at a time, would block the page. */
const PAUSE = 50

/** The rows of the grid, of which the last one is always blank. */
export function createGridRows(fields: readonly Field[], names: ClientNames, context: PageContext) {
  let rows: readonly Row[] = []
  let lastId = 0
  /** The ids of clients by their pasted names, until the rows have them. */
  const found = new Map<string, string>()
  const fillSoon = debounced(() => {
    set(rows.map((row) => filledIn(withFound(row))))
    found.clear()
  }, PAUSE)
  const assistance = createAssistance({ ...context, update: fillSoon })
  const reads = new WeakMap<Row, ReadRow>()
  set([])

  function set(next: readonly Row[]): void {
    const last = next.at(-1)
    const texts = { serviceDate: last?.texts.serviceDate ?? contracts.suggested?.().serviceDate ?? '' }
    rows = last && isBlank(last) ? next : [...next, newRow(texts)]
    context.update()
  }

  function newRow(texts: Texts): Row {
    lastId += 1
    return { id: lastId, texts, proposed: {}, client: '' }
  }

  const filledIn = (row: Row): Row => (isOpen(row) && row.texts.clientId ? assistance.propose(row) : row)

  function withFound(row: Row): Row {
    const clientId = found.get(row.client)
    return clientId === undefined ? row : typed(row, 'clientId', clientId)
  }

  function type(id: number, name: string, text: string): void {
    set(rows.map((row) => (row.id === id ? filledIn(typed(row, name, text)) : row)))
  }

  /** Chooses the only client whose name contains a pasted text. If there are several or none, Mint compares whole names. */
  async function findClient(client: string): Promise<void> {
    const { api, signal } = context
    const { clients, total } = await api.get('clients', { query: { search: client, limit: 1 }, signal })
    if (total !== 1) return
    const [{ clientId, displayName }] = clients
    names.note(clientId, displayName)
    found.set(client, clientId)
    fillSoon()
  }

  return {
    all: () => rows,
    filled: () => rows.filter((row) => !isBlank(row)),
    assistance,
    type,
    read(row: Row): ReadRow {
      const read = reads.get(row) ?? readRow(row, fields)
      reads.set(row, read)
      return read
    },
    /** Moving on from a cell accepts what is proposed there. */
    leave({ id, texts, proposed }: Row, name: string): void {
      if (name in proposed) type(id, name, texts[name] ?? '')
    },
    remove: (id: number) => set(rows.filter((row) => row.id !== id)),
    /** Fills cells starting at a row, and adds rows if there are too few. */
    paste(at: number, pasted: readonly Texts[]): void {
      const { serviceDate = '' } = rows[at]?.texts ?? {}
      const filled = pasted.map((texts, index) => {
        return filledIn(pastedInto(rows[at + index] ?? newRow({ serviceDate }), texts))
      })
      set([...rows.slice(0, at), ...filled, ...rows.slice(at + filled.length)])
      const pastedNames = new Set(filled.map(({ client }) => client).filter((client) => client !== ''))
      // Without an answer, the user chooses a client or Mint finds it by its whole name.
      for (const name of pastedNames) void findClient(name).catch(() => undefined)
    },
    add: (more: readonly Texts[]) => set([...rows.filter((row) => !isBlank(row)), ...more.map(newRow)]),
  }
}

export type GridRows = ReturnType<typeof createGridRows>
