// A contracts service that answers reads by id and creates with one record from memory: the cost of a request through
// the gateway when nothing is decided or stored behind it.
import { createBudget } from '../shared/budget/budget.ts'
import { ContractsServiceService, type GetContractResponse } from '../shared/gen/mint/contracts/v1/contracts.ts'
import { grpcService, startGrpcServer } from '../shared/rpc/server/grpc-server.ts'
import { createLogger } from '../shared/runtime/log/logger.ts'
import { testAccess } from '../tests/support/grpc-access.ts'

const answer: GetContractResponse = {
  contract: {
    id: 1,
    clientId: '11111111-1111-1111-1111-111111111111',
    serviceName: 'Annual accounts',
    serviceType: 'bookkeeping',
    serviceFee: '150',
    taxPercent: '13',
    totalFeeWithTax: '169.5',
    serviceDate: '2026-01-31',
    notes: '',
    createdAt: Date.UTC(2026, 0, 31, 9, 30),
    updatedAt: Date.UTC(2026, 0, 31, 9, 30),
    version: 1,
  },
}
const refuse = async (): Promise<never> => {
  throw new Error('only getContract and createContract are answered here')
}
const service = grpcService(ContractsServiceService, {
  getContract: async () => answer,
  listContracts: refuse,
  listContractHistory: refuse,
  checkNewContracts: refuse,
  createContract: async () => ({ ...answer, replayed: false }),
  editContract: refuse,
})
// The one that the gateway presents: tests/support/separate-processes.ts.
const logger = createLogger({ name: 'hop', level: 'info' })
const { port } = await startGrpcServer({
  host: '127.0.0.1',
  port: 0,
  services: [service],
  access: testAccess,
  budget: createBudget(),
  logger,
})
console.log(`ready on 127.0.0.1:${port}`)
