import { html, type TemplateResult } from 'lit-html'
import type { Field } from '../fields/fields.ts'
import { decimals } from '../format/formats.ts'
import type { PageContext } from '../frame/page.ts'
import { otherSpelling, proposalFor, propose, type WithProposals } from './proposals.ts'
import { createUsual } from './usual.ts'

/** Helps to fill in the form of a new contract. */
export function createAssistance(context: PageContext) {
  const usual = createUsual(context)
  const proposalOf = (state: WithProposals) =>
    proposalFor(usual.contractsOf(state.texts.clientId ?? ''), state, decimals)

  /** What to say about the value of a field. `use`: takes another text for it. */
  function remarkOn(field: Field, state: WithProposals, use: (text: string) => void): TemplateResult | undefined {
    const { name } = field
    if (name in state.proposed) return html`Proposed, as in contract ${proposalOf(state)?.source}. Type to change it. `
    const other = name === 'serviceType' ? otherSpelling(state.texts[name] ?? '', usual.types()) : undefined
    if (other === undefined) return undefined
    return html`Contracts so far have “<bdi>${other}</bdi>”. <button type="button" class="plain" @click=${() => use(other)}>Use that spelling</button> `
  }

  return {
    /** Fills in what nobody has typed, once the contracts of the client are known. */
    propose: (state: WithProposals): WithProposals => propose(state, proposalOf(state)),
    suggestionsFor({ name }: Field, { texts }: WithProposals): readonly string[] {
      if (name === 'serviceType') return usual.types()
      if (name !== 'serviceName') return []
      return [...new Set(usual.contractsOf(texts.clientId ?? '').map(({ serviceName }) => serviceName))]
    },
    remarkOn,
  }
}

export type Assistance = ReturnType<typeof createAssistance>
