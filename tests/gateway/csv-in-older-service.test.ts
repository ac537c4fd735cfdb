import assert from 'node:assert/strict'
import { createBudget } from '../../shared/budget/budget.ts'
import {
  BusinessesServiceClientImpl,
  BusinessesServiceService,
} from '../../shared/gen/mint/businesses/v1/businesses.ts'
import { createGrpcRpc } from '../../shared/rpc/client/grpc-client.ts'
import { grpcService, startGrpcServer } from '../../shared/rpc/server/grpc-server.ts'
import { atEnd } from '../support/cleanup.ts'
import { emptyServices } from '../support/empty-services.ts'
import { startGateway } from '../support/gateway-fixture.ts'
import { testAccess, testSecrets } from '../support/grpc-access.ts'
import { quietLogger } from '../support/quiet-logger.ts'

describe('CSV import, during an upgrade', () => {
  it('tries a file of businesses against a service that can’t look up earlier requests yet', async () => {
    const { checkNewBusinesses: _, ...definition } = BusinessesServiceService
    const services = [grpcService(definition, emptyServices.businesses)]
    const at = {
      host: '127.0.0.1',
      port: 0,
      services,
      access: testAccess,
      budget: createBudget(),
      logger: quietLogger(),
    }
    const server = await startGrpcServer(at)
    atEnd(() => server.stop(0))
    const rpc = atEnd.close(createGrpcRpc({ address: `127.0.0.1:${server.port}`, secrets: testSecrets }))
    const { call, stop } = await startGateway({ ...emptyServices, businesses: new BusinessesServiceClientImpl(rpc) })
    atEnd(stop)
    const headers = { 'content-type': 'text/csv', 'idempotency-key': 'k' }
    const { body } = await call('POST', '/businesses.csv?dryRun=true', 'legalName\nA\n', headers)
    assert.deepEqual(body, { rows: 1, created: 1, replayed: 0 })
  })
})
