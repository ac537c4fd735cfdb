import { html, nothing, type TemplateResult } from 'lit-html'
import { findClients, findContract } from '../find/find.ts'
import type { Found } from '../find/found.ts'
import { createLoader } from '../frame/loader.ts'
import type { PageContext } from '../frame/page.ts'
import { parts } from '../languages/texts.ts'

interface Offers {
  readonly search: string
  readonly found: readonly Found[]
}

/** What the search of contracts doesn't cover, but may be meant: the contract of that number, or those of clients. */
export function createSearchOffers({ api, query, link, may, signal, update }: PageContext) {
  const search = () => query().search?.trim() ?? ''
  const loader = createLoader<Offers>(
    async (signal) => {
      const words = search()
      const [contract, clients] = await Promise.all([
        findContract(api, words, signal),
        may('/clients', 'GET') ? findClients(api, words, signal) : [],
      ])
      return { search: words, found: [...contract, ...clients] }
    },
    { signal, update },
  )

  const offer = ({ kind, name: found, path }: Found): TemplateResult => {
    const name = html`<bdi>${found}</bdi>`
    if (kind === 'Contract') {
      return html`<li><a href=${link(path)}>${parts('lists.offeredContract', { name })}</a></li>`
    }
    const clientId = path.split('/').at(-1)
    return html`<li><a href=${link('/contracts', { clientId })}>${parts('lists.contractsOf', { name })}</a></li>`
  }

  /** Links to the contracts of all clients that have it in their name. */
  const ofAll = (clientName: string): TemplateResult => {
    const named = parts('lists.ofClientsNamed', { search: html`<bdi>${clientName}</bdi>` })
    return html`<li><a href=${link('/contracts', { clientName })}>${named}</a></li>`
  }

  return {
    /** Fetches them, unless another page of the same search is opened. */
    load(): void {
      const isKnown = search() === loader.value()?.search && !loader.isLoading()
      if (search() !== '' && !isKnown) void loader.load()
    },
    view(): TemplateResult | typeof nothing {
      const { search: of = '', found = [] } = loader.value() ?? {}
      if (of === '' || of !== search()) return nothing
      const clients = found.filter(({ kind }) => kind === 'Client')
      const offersAll = clients.length > 1 || !may('/clients', 'GET')
      if (found.length === 0 && !offersAll) return nothing
      return html`<ul class="links">${found.map(offer)}${offersAll ? ofAll(of) : nothing}</ul>`
    },
  }
}
