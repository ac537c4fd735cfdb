import assert from 'node:assert/strict'
import { contractsViews } from '../../services/contracts/service.ts'
import { createBudget, type MemoryBudget } from '../../shared/budget/budget.ts'
import { bytesOfPage, FORMS_IN_MEMORY } from '../../shared/budget/make-within.ts'
import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import { accessServer } from '../support/access-server.ts'
import { atEnd } from '../support/cleanup.ts'
import { describeOnDatabases } from '../support/database-fixtures.ts'
import { emptyServices } from '../support/empty-services.ts'
import { startGateway } from '../support/gateway-fixture.ts'
import { withKey } from '../support/grpc-access.ts'
import { grpcCall } from '../support/grpc-call.ts'
import { contractsAppOn } from '../support/services.ts'

/** A budget, and the most that was charged at once. */
function recordingBudget() {
  const budget = createBudget()
  const most = { bytes: 0 }
  const ofKey: MemoryBudget['ofKey'] = (id) => ({
    ...budget.ofKey(id),
    wait(bytes, ...others) {
      most.bytes = Math.max(most.bytes, bytes)
      return budget.ofKey(id).wait(bytes, ...others)
    },
  })
  return { budget: { ...budget, ofKey }, most }
}

describeOnDatabases('A list of open proposals', (open) => {
  it('is charged for all that it reads at a time, however few it returns', async () => {
    const { database } = await open(contractsViews)
    let most = 0
    const view: Database['view'] = (definition) => {
      const whole = database.view(definition)
      return {
        ...whole,
        list(query) {
          most = Math.max(most, query.limit)
          return whole.list(query)
        },
      }
    }
    const { proposals } = contractsAppOn({ ...database, view })
    await proposals.listProposals({ status: 'open', limit: 1, offset: 0 })
    const read = most * bytesOfPage({ limit: 1 })

    const [rest, grpc] = [recordingBudget(), recordingBudget()]
    const { call } = atEnd.stop(await startGateway(emptyServices, { budget: rest.budget }))
    await call('GET', '/proposals?status=open&limit=1')
    const { address } = await accessServer({}, { budget: grpc.budget })
    await grpcCall(address, '/mint.contracts.v1.ProposalsService/ListProposals', withKey())
    for (const { most } of [rest, grpc]) assert.ok(most.bytes >= FORMS_IN_MEMORY * read, `${most.bytes} for ${read}`)
  })
})
