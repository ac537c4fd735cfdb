import type { Api } from '../api/client.ts'
import type { Json } from '../api/json.ts'
import { ifFound } from '../api/problem.ts'
import { bareText } from '../format/fold.ts'
import { text } from '../languages/texts.ts'
import { contracts } from '../records/kinds.ts'
import { type Found, findPages, type NamedPage, numberIn } from './found.ts'

/** Where things are found: only what the key may see. */
export interface Places {
  readonly api: Api
  readonly pages: readonly NamedPage[]
  readonly may: (path: string, method: string) => boolean
}

/** How many of each kind are shown. */
const MAX_FOUND = 8

/** Finds a contract and businesses by number, clients by name, and pages, in this order. */
export async function findAnywhere(
  { api, pages, may }: Places,
  words: string,
  signal: AbortSignal,
): Promise<readonly Found[]> {
  const found = await Promise.all([
    may('/contracts/{id}', 'GET') ? findContract(api, words, signal) : [],
    may('/businesses', 'GET') ? findBusinesses(api, words.trim(), signal) : [],
    may('/clients', 'GET') ? findClients(api, words, signal) : [],
  ])
  return [...found.flat(), ...findPages(pages, words)]
}

/** The contract with a number; none if it doesn't exist, or the text isn't a number. */
export async function findContract(api: Api, words: string, signal: AbortSignal): Promise<readonly Found[]> {
  const number = numberIn(words, text('kind.one.Contract'))
  if (number === undefined) return []
  const contract = await ifFound(api.get(`contracts/${number}`, { signal }))
  if (contract === undefined) return []
  return [{ kind: 'Contract', name: contracts.nameOf(contract), path: `/contracts/${contract.id}` }]
}

/** Businesses by their number, however it is spelled, or by all of their tax ID or e-mail: by name, they are clients. */
async function findBusinesses(api: Api, search: string, signal: AbortSignal): Promise<readonly Found[]> {
  const words = search.split(/\s/).map(bareText)
  const hasNumber = ({ businessNumber }: Json) => words.every((word) => bareText(businessNumber).includes(word))
  const by = async (field: string, query: object, isFound: (business: Json) => boolean = () => true) => {
    const { businesses } = await api.get('businesses', { query: { ...query, limit: MAX_FOUND }, signal })
    return businesses.filter(isFound).map((business: Json): Found => {
      const name = text('format.labelled', { label: business[field], value: business.legalName })
      return { kind: 'Business', name, path: `/businesses/${business.id}` }
    })
  }
  if (EMAIL.test(search)) return await by('email', { email: search })
  if (!/\d/.test(search) || search.length > MAX_NUMBER) return []
  return (await Promise.all([by('businessNumber', { search }, hasNumber), by('taxId', { taxId: search })])).flat()
}

/** What is certainly an e-mail address to the API, which refuses anything else. */
const EMAIL = /^[\w+-]+(\.[\w+-]+)*@([a-z\d]+(-[a-z\d]+)*\.)+[a-z]{2,}$/i
/** The most characters of a business number or tax ID. */
const MAX_NUMBER = 50

/** The clients with a text in their names. */
export async function findClients(api: Api, search: string, signal: AbortSignal): Promise<readonly Found[]> {
  const { clients } = await api.get('clients', { query: { search, limit: MAX_FOUND }, signal })
  return clients.map(({ clientId, displayName }: Json) => {
    return { kind: 'Client', name: displayName, path: `/clients/${clientId}` }
  })
}
