import { ClosingServiceService } from '../../shared/gen/mint/contracts/v1/closing.ts'
import { FirmServiceClientImpl } from '../../shared/gen/mint/contracts/v1/firm.ts'
import { createGrpcRpc } from '../../shared/rpc/client/grpc-client.ts'
import { grpcService } from '../../shared/rpc/server/grpc-server.ts'
import { atEnd } from '../support/cleanup.ts'
import { emptyServices } from '../support/empty-services.ts'
import { startGateway } from '../support/gateway-fixture.ts'
import { testSecrets } from '../support/grpc-access.ts'
import { grpcServer } from '../support/grpc-server.ts'
import { assertProblem } from '../support/problem-assertions.ts'

describe('The firm, during an upgrade', () => {
  it('is unavailable while a service of an older release doesn’t support it', async () => {
    const { address } = await grpcServer([grpcService(ClosingServiceService, emptyServices.closing)])
    const rpc = atEnd.close(createGrpcRpc({ address, secrets: testSecrets }))
    const { call, stop } = await startGateway({ ...emptyServices, firm: new FirmServiceClientImpl(rpc) })
    atEnd(stop)
    assertProblem(await call('GET', '/firm'), 503, 'unavailable')
    assertProblem(await call('GET', '/firm/history'), 503, 'unavailable')
    assertProblem(await call('PATCH', '/firm', { name: 'Harbour' }), 503, 'unavailable')
  })
})
