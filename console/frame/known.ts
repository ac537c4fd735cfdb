import { type Api, createApi } from '../api/client.ts'
import { type ApiDocument, readDocument } from '../api/document.ts'
import { useCurrency } from '../format/formats.ts'
import { currencyOf, type Firm } from './firm.ts'
import { createLoader } from './loader.ts'
import { createOwnKey } from './own-key.ts'

/** Creates what the console must know before it opens a page. `update` is called whenever that changes. */
export function createKnown(api: Api, update: () => void) {
  const ownKey = createOwnKey(api, changed)
  const firm = createLoader<Firm>(async (signal) => (await api.get('firm', { signal })).body, {
    update: changed,
    keepsLast: true,
  })
  const description = createLoader(readDescription, { update: changed })
  const waiting = createLoader<number>(
    async (signal) => {
      const query = { status: 'open', limit: 1 }
      return (await api.get('proposals', { query, signal })).body.total
    },
    { update },
  )

  function changed(): void {
    const document = description.value()
    if (document) useCurrency(currencyOf(document, firm.value()?.currency ?? ''))
    update()
  }

  return {
    ownKey,
    firm,
    description,
    /** How many proposals wait for a decision. */
    waiting,
    /** Loads what depends on who is signed in. */
    loadOwn(): void {
      void ownKey.load()
      void firm.load()
    },
    /** The description, once all of it is loaded or could not be. */
    document: () => (ownKey.isLoading() || firm.isLoading() ? undefined : description.value()),
  }
}

export type Known = ReturnType<typeof createKnown>

async function readDescription(signal: AbortSignal): Promise<ApiDocument> {
  const anonymous = createApi(() => undefined)
  return readDocument((await anonymous.get('openapi.json', { signal })).body)
}
