import { html, type TemplateResult } from 'lit-html'
import type { RecordJson } from '../api/json.ts'
import type { Field } from '../fields/fields.ts'
import type { PageContext } from '../frame/page.ts'
import { parts, text } from '../languages/texts.ts'
import { otherSpelling, proposalFor, propose, type WithProposals } from './proposals.ts'

/** Enough to find what a client has every month, and as many as the API returns at once. */
const MAX_CONTRACTS = 100
/** More service types than anybody scrolls through: the ones with the highest sums. */
const MAX_TYPES = 1_000

/** Helps to fill in new contracts: proposes what their clients usually pay, and suggests texts in use. */
export function createAssistance({ api, signal, update }: Pick<PageContext, 'api' | 'signal' | 'update'>) {
  /** By request; empty until the answer arrives, and where the key may not see them. */
  const lists = new Map<string, readonly RecordJson[]>()
  /** Other spellings of types, by what is typed. Not searched at each render: rows × types may be 300 × 1,000. */
  const spellings = new Map<string, string | undefined>()

  /** The rows of a list, which is requested once while a page is open. */
  function listOf(path: string, query: Readonly<Record<string, string | number>>, rows: string): readonly RecordJson[] {
    const name = JSON.stringify([path, query])
    const known = lists.get(name)
    if (known) return known
    lists.set(name, [])
    const arrived = (body: RecordJson) => {
      lists.set(name, body[rows])
      spellings.clear()
      update()
    }
    void api.get(path, { query, signal }).then(arrived, () => undefined)
    return []
  }

  /** The last contracts of a client, newest first. */
  const contractsOf = ({ texts: { clientId = '' } }: WithProposals) =>
    clientId === '' ? [] : listOf('contracts', { clientId, limit: MAX_CONTRACTS }, 'contracts')
  const typesInUse = (): readonly string[] =>
    listOf('reports/contracts', { groupBy: 'serviceType', limit: MAX_TYPES }, 'rows').map((row) => row.serviceType)

  function spellingInUse(typed: string): string | undefined {
    if (!spellings.has(typed)) spellings.set(typed, otherSpelling(typed, typesInUse()))
    return spellings.get(typed)
  }

  return {
    /** Fills in what nobody has typed, as far as the contracts of the client are known. */
    propose<State extends WithProposals>(state: State): State {
      return propose(state, proposalFor(contractsOf(state), state))
    },
    suggestionsFor({ name }: Field, state: WithProposals): readonly string[] {
      if (name === 'serviceType') return typesInUse()
      return name === 'serviceName' ? [...new Set(contractsOf(state).map(({ serviceName }) => serviceName))] : []
    },
    /** What to say about the value of a field. `use` replaces it. */
    remarkOn({ name }: Field, state: WithProposals, use: (text: string) => void): TemplateResult | undefined {
      if (name in state.proposed) return html`${text('records.proposed', { id: String(state.source) })} `
      const other = name === 'serviceType' ? spellingInUse(state.texts[name] ?? '') : undefined
      if (other === undefined) return undefined
      const button = html`<button type="button" class="plain" @click=${() => use(other)}>${other}</button>`
      return html`${parts('records.inUse', { other: button })} `
    },
  }
}

export type Assistance = ReturnType<typeof createAssistance>
