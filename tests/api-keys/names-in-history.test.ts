import assert from 'node:assert/strict'
import { history } from '../../cli/admin/history.ts'
import { atEnd } from '../support/cleanup.ts'
import { openServicesOn } from '../support/filled-folder.ts'
import { startKeysGateway } from '../support/keys-gateway.ts'
import { aCall } from '../support/requests.ts'
import { aNewContract } from '../support/rest.ts'
import { newFolder } from '../support/temporary-folder.ts'

describe('Key names in a history', () => {
  /** Two gateways over one data folder, each following the keys independently. */
  async function start() {
    const { data, services } = atEnd.close(await openServicesOn(newFolder()))
    const gateway = async () => atEnd.stop(await startKeysGateway(data.gateway, { services }))
    return { data, services, gateways: [await gateway(), await gateway()] as const }
  }

  it('are shown by every gateway and the command line for all keys, and are null for other actors', async () => {
    const { data, services, gateways } = await start()
    const [one, other] = gateways
    const { body: key } = await one.call('POST', '/api-keys', {
      name: 'Website',
      scopes: ['contracts:read', 'contracts:write'],
    })
    const { headers } = await one.as(key.key)('POST', '/contracts', aNewContract())
    const path = String(headers.get('location'))
    await one.call('PATCH', path, { notes: 'by the configured key' })
    await services.contracts.editContract({ id: 1, notes: 'over gRPC' }, aCall({ actor: 'payroll' }))
    const names = async ({ call }: typeof one) =>
      (await call('GET', `${path}/history`)).body.events.map(({ byName }: { byName: unknown }) => byName)
    assert.deepEqual(await names(other), ['Website', 'configured', null])
    assert.equal((await one.call('DELETE', `/api-keys/${key.id}`)).status, 204)
    assert.deepEqual(await names(one), ['Website', 'configured', null])
    assert.deepEqual(await names(other), ['Website', 'configured', null])
    const changes = await Array.fromAsync(history(data, { kind: 'contract', id: '1' }))
    assert.deepEqual(
      changes.map(({ byName }) => byName),
      ['Website', 'configured', null],
    )
  })
})
