import assert from 'node:assert/strict'
import {
  BusinessesServiceClientImpl,
  BusinessesServiceService,
} from '../../shared/gen/mint/businesses/v1/businesses.ts'
import { createGrpcRpc } from '../../shared/rpc/client/grpc-client.ts'
import { grpcService } from '../../shared/rpc/server/grpc-server.ts'
import { atEnd } from '../support/cleanup.ts'
import { emptyServices } from '../support/empty-services.ts'
import { startGateway } from '../support/gateway-fixture.ts'
import { testSecrets } from '../support/grpc-access.ts'
import { grpcServer } from '../support/grpc-server.ts'

describe('CSV import, during an upgrade', () => {
  it('dry-runs a file of businesses against a service that can’t find earlier requests yet', async () => {
    const { checkNewBusinesses: _, ...definition } = BusinessesServiceService
    const { address } = await grpcServer([grpcService(definition, emptyServices.businesses)])
    const rpc = atEnd.close(createGrpcRpc({ address, secrets: testSecrets }))
    const { call, stop } = await startGateway({ ...emptyServices, businesses: new BusinessesServiceClientImpl(rpc) })
    atEnd(stop)
    const headers = { 'content-type': 'text/csv', 'idempotency-key': 'k' }
    const { body } = await call('POST', '/businesses.csv?dryRun=true', 'legalName\nA\n', headers)
    assert.deepEqual(body, { rows: 1, created: 1, replayed: 0 })
  })
})
