import type { Page } from 'playwright-core'
import type { Rest } from './rest.ts'

/** A page of the console, with an address that shows it. */
export interface ConsoleAddress {
  /** Its template in the console's own table: `/contracts/:id`. */
  readonly path: string
  /** `#/contracts/7` */
  readonly hash: string
}

/** An address of every page of the console, for a Mint that has a record of each kind. */
export async function consoleAddresses(page: Page, call: Rest): Promise<readonly ConsoleAddress[]> {
  const paths = (await page.evaluate(PATHS)) as string[]
  const ids = await idsOf(call)
  return paths.map((path) => {
    const kind = path.split('/')[1] ?? ''
    const id = ids[kind]
    if (path.includes(':id') && id === undefined) throw new Error(`Say here where the id in ${path} comes from.`)
    return { path, hash: `#${path.replace(':id', id ?? '')}${QUERIES[path] ?? ''}` }
  })
}

/** What pages need in their address to show a record of any date. */
const QUERIES: Readonly<Record<string, string>> = {
  '/clients/:id/statement': '?serviceDateFrom=2000-01-01&serviceDateTo=2099-12-31',
}

/** The modules of the console can't be loaded here: they are made for browsers. */
const PATHS = `import(document.querySelector('link[href$="/pages.ts"]').href).then(({ pages }) => pages.map(({ path }) => path))`

async function idsOf(call: Rest): Promise<Readonly<Record<string, string>>> {
  const first = async (path: string, list: string, id: string): Promise<string> =>
    String((await call('GET', `${path}?limit=1`)).body[list][0][id])
  return {
    contracts: await first('/contracts', 'contracts', 'id'),
    businesses: await first('/businesses', 'businesses', 'id'),
    clients: await first('/clients', 'clients', 'clientId'),
    proposals: await first('/proposals', 'proposals', 'id'),
    keys: await first('/api-keys', 'apiKeys', 'id'),
    webhooks: String((await call('GET', '/webhooks')).body.webhooks[0].id),
  }
}
