import assert from 'node:assert/strict'
import { status } from '@grpc/grpc-js'
import { sharedMint } from '../../support/mint-process.ts'
import { askHealth, clientByReflection, clientFromProtoFile, listServices } from '../../support/plain-grpc.ts'
import { restClient } from '../../support/rest.ts'
import { waitFor } from '../../support/wait-for.ts'

const CONTRACTS = 'mint.contracts.v1.ContractsService'
const CLIENTS = 'mint.contracts.v1.ClientsService'
const BUSINESSES = 'mint.businesses.v1.BusinessesService'

describe('The gRPC ports of npm start', () => {
  const mint = sharedMint()

  it('serve a client that loads the .proto files itself', async () => {
    const businesses = clientFromProtoFile(
      mint().businessesAddress,
      BUSINESSES,
      'mint/businesses/v1/businesses.proto',
      mint().key,
    )
    const { business } = await businesses.call('CreateBusiness', { legalName: 'École du Nord' })
    const rest = await restClient(mint())('GET', `/businesses/${business.id}`)
    assert.equal(rest.body.legalName, 'École du Nord')
    businesses.close()
    const clients = clientFromProtoFile(mint().contractsAddress, CLIENTS, 'mint/contracts/v1/clients.proto', mint().key)
    const listed = await waitFor(async () => {
      const page = await clients.call('ListClients', { search: 'école' })
      return page.total === 1 && page
    })
    assert.equal(listed.clients[0].clientId, business.clientId)
    clients.close()
  })

  it('serve a client that knows only names, through reflection', async () => {
    assert.deepEqual(await listServices(mint().contractsAddress, mint().key), [
      CLIENTS,
      'mint.contracts.v1.ClosingService',
      CONTRACTS,
      'mint.contracts.v1.DeadLettersService',
      'mint.contracts.v1.FirmService',
      'mint.contracts.v1.ProposalsService',
      'mint.contracts.v1.ReportsService',
      'mint.events.v1.EventsService',
      'mint.operations.v1.RelayService',
      'mint.operations.v1.StatusService',
    ])
    const contracts = await clientByReflection(mint().contractsAddress, CONTRACTS, mint().key)
    const { contract } = await contracts.call('CreateContract', {
      client_id: '11111111-1111-1111-1111-111111111111',
      service_name: 'Payroll run',
      service_type: 'payroll',
      service_fee: '19.99',
      tax_percent: '8.25',
    })
    assert.equal(contract.total_fee_with_tax, '21.639175')
    await assert.rejects(contracts.call('GetContract', { id: 999 }), { code: status.NOT_FOUND })
    contracts.close()
  })

  it('answer the standard health check', async () => {
    assert.equal(await askHealth(mint().contractsAddress, CONTRACTS), 'SERVING')
    assert.equal(await askHealth(mint().businessesAddress, ''), 'SERVING')
  })
})
