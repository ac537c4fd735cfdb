import { openDataFolder } from '../../cli/start/data-folder.ts'
import { startServices } from '../../cli/start/services.ts'
import { newRequestId, randomCommitId } from '../../shared/calls/ids.ts'
import { namesNobody } from './envelopes.ts'
import { quietLogger } from './quiet-logger.ts'
import { waitFor } from './wait-for.ts'

/** All services on a data folder, for authors who aren't API keys. */
export async function openServicesOn(folder: string) {
  const data = await openDataFolder(folder)
  const options = { clock: Date.now, requireKnownClient: false, nameOf: namesNobody, logger: quietLogger() }
  const services = await startServices({ ...options, data })
  return {
    data,
    services,
    async close(): Promise<void> {
      await services.stop()
      await data.close()
    },
  }
}

/** What a folder is filled with. */
export interface Filling {
  readonly contracts: number
  /** Each also becomes a client, and every contract belongs to one of them. */
  readonly businesses: number
  /** Of the first contracts, in their order. */
  readonly notes?: readonly string[]
  /** How many requests with a key to send for contract 1 that change nothing; default: none. */
  readonly unchanged?: number
  /** How often one request with a key is refused. */
  readonly refused?: number
}

/** Fills a data folder through the services, editing every third contract once, and closes it. */
export async function fillFolder(
  folder: string,
  { contracts, businesses, notes = [], unchanged = 0, refused = 0 }: Filling,
): Promise<void> {
  const { services, close } = await openServicesOn(folder)
  const context = () => ({ actor: 'filler', requestId: newRequestId(), commitId: randomCommitId() })
  const clientIds: string[] = []
  for (let number = 1; number <= businesses; number++) {
    const { business } = await services.businesses.createBusiness({ legalName: `Business ${number}` }, context())
    clientIds.push(business?.clientId ?? '')
  }
  await Promise.all(
    Array.from({ length: contracts }, async (_, index) => {
      const { contract } = await services.contracts.createContract(
        {
          clientId: clientIds[index % businesses] ?? '11111111-1111-1111-1111-111111111111',
          serviceName: `Service ${index + 1}`,
          serviceType: 'bookkeeping',
          serviceFee: '19.99',
          taxPercent: '8.25',
          notes: notes[index],
        },
        context(),
      )
      if (contract && contract.id % 3 === 0) {
        await services.contracts.editContract({ id: contract.id, serviceFee: '25', notes: 'Fee corrected.' }, context())
      }
    }),
  )
  for (let number = 1; number <= unchanged; number++) {
    await services.contracts.editContract({ id: 1 }, { ...context(), requestHash: `hash ${number}` })
  }
  for (let number = 0; number < refused; number++) {
    const keyed = { ...context(), commitId: 'refused', requestHash: 'hash' }
    await services.contracts.editContract({ id: contracts + 1, notes: '' }, keyed).catch(() => undefined)
  }
  await waitFor(
    async () => (await services.clients.listClients({ search: '', limit: 1, offset: 0 })).total === businesses,
    {
      what: 'clients',
    },
  )
  await close()
}
