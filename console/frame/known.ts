import { type Api, createApi } from '../api/client.ts'
import { type ApiDocument, readDocument } from '../api/document.ts'
import { useCurrency } from '../format/formats.ts'
import { currencyOf, type Firm } from './firm.ts'
import { createLoader } from './loader.ts'
import type { PageEntry } from './page.ts'

/** The key that the console is signed in with. */
interface KnownKey {
  readonly id: string
  readonly principal: string
  readonly kind: 'program' | 'person'
  readonly scopes: readonly string[]
}

/** Creates what the console must know before it opens a page. `update` is called whenever that changes. */
export function createKnown(api: Api, update: () => void) {
  const key = createLoader<KnownKey>((signal) => api.get('api-keys/current', { signal }), {
    update: changed,
  })
  const firm = createLoader<Firm>((signal) => api.get('firm', { signal }), {
    update: changed,
    keepsLast: true,
  })
  const description = createLoader(readDescription, { update: changed })
  const waiting = createLoader<number>(
    async (signal) => {
      const query = { status: 'open', limit: 1 }
      return (await api.get('proposals', { query, signal })).total
    },
    { update },
  )

  /** Resolves once the key of whoever is signed in is loaded, or has failed to load. */
  let ownLoading: Promise<void> | undefined

  function changed(): void {
    const document = description.value()
    if (document) useCurrency(currencyOf(document, firm.value()?.currency ?? ''))
    update()
  }

  /** Whether the key has a scope. If its scopes are unknown, everything is offered, and the API decides. */
  const hasScope = (scope: string): boolean => key.value()?.scopes.includes(scope) ?? true

  /** Whether the key's scopes allow a call; without the description, or if it has no such call, nothing is. */
  function may(path: string, method: string): boolean {
    const scopes = description.value()?.scopesOf(path, method)
    return scopes !== undefined && (scopes.length === 0 || scopes.some(hasScope))
  }

  return {
    firm,
    description,
    /** How many proposals wait for a decision. */
    waiting,
    /** Loads what depends on who is signed in. */
    loadOwn(): void {
      ownLoading = key.load()
      void firm.load()
    },
    /** Loads again what has failed to load: without the firm, amounts have no currency, and not its decimals. */
    retry(): void {
      if ((key.problem() ?? firm.problem()) !== undefined) this.loadOwn()
    },
    /** The description, once key and firm are loaded or have failed to load. */
    document: () => (key.isLoading() || firm.isLoading() ? undefined : description.value()),
    ownKeyId: () => key.value()?.id,
    /** Who acts with the key; undefined if that could not be loaded. */
    async principal(): Promise<string | undefined> {
      await ownLoading
      return key.value()?.principal
    },
    /** Whether the key may be a person's, from the identity provider: false only once it is known to be a program's. */
    mayBeOfPerson: () => key.value()?.kind !== 'program',
    hasScope,
    may,
    /** The pages with a call that the key may make; none until both the key and the description are known. */
    usable(pages: readonly PageEntry[]): readonly PageEntry[] {
      if (!description.value() || (!key.value() && key.problem() === undefined)) return []
      return pages.filter(({ calls }) => calls === undefined || calls.some(([path, method]) => may(path, method)))
    },
  }
}

export type Known = ReturnType<typeof createKnown>

async function readDescription(signal: AbortSignal): Promise<ApiDocument> {
  const anonymous = createApi(() => undefined)
  return readDocument(await anonymous.get('openapi.json', { signal }))
}
