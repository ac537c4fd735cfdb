import { html, type TemplateResult } from 'lit-html'
import type { Field } from '../fields/fields.ts'
import { decimals } from '../format/formats.ts'
import type { PageContext } from '../frame/page.ts'
import { otherSpelling, proposalFor, propose, type WithProposals } from './proposals.ts'
import { createUsual } from './usual.ts'

/** Helps to fill in new contracts: proposes what their clients usually pay, and suggests texts in use. */
export function createAssistance(context: Pick<PageContext, 'api' | 'signal' | 'update'>) {
  const usual = createUsual(context)
  const contractsOf = ({ texts }: WithProposals) => usual.contractsOf(texts.clientId ?? '')
  const proposalOf = (state: WithProposals) => proposalFor(contractsOf(state), state, decimals)

  return {
    /** Fills in what nobody has typed, as far as the contracts of the client are known. */
    propose: <State extends WithProposals>(state: State): State => ({ ...state, ...propose(state, proposalOf(state)) }),
    suggestionsFor({ name }: Field, state: WithProposals): readonly string[] {
      if (name === 'serviceType') return usual.types()
      return name === 'serviceName' ? [...new Set(contractsOf(state).map(({ serviceName }) => serviceName))] : []
    },
    /** What to say about the value of a field. `use`: takes another text for it. */
    remarkOn({ name }: Field, state: WithProposals, use: (text: string) => void): TemplateResult | undefined {
      if (name in state.proposed) return html`Proposed, as in contract ${proposalOf(state)?.source}. `
      const other = name === 'serviceType' ? otherSpelling(state.texts[name] ?? '', usual.types()) : undefined
      if (other === undefined) return undefined
      return html`In use so far: <button type="button" class="plain" @click=${() => use(other)}>${other}</button> `
    },
  }
}

export type Assistance = ReturnType<typeof createAssistance>
