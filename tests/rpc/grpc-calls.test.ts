import assert from 'node:assert/strict'
import { type ServiceError, status } from '@grpc/grpc-js'
import type { CallContext } from '../../shared/calls/call-context.ts'
import { CodedError, type ErrorCode } from '../../shared/calls/errors.ts'
import { atEnd } from '../support/cleanup.ts'
import { aClient, overGrpc } from '../support/clients-service.ts'
import { clientFromProtoFile } from '../support/plain-grpc.ts'
import { waitFor } from '../support/wait-for.ts'

const context: CallContext = {
  actor: 'a-key',
  requestId: 'r-1',
  commitId: 'c-1',
  requestHash: 'ab'.repeat(32),
}

const coded = (code: ErrorCode) => new CodedError(code, 'Größer: was nun? 100%')

describe('a call over gRPC', () => {
  it('carries the request, the answer and the whole context', async () => {
    let seen: CallContext | undefined
    const remote = await overGrpc(atEnd, {
      async getClient({ clientId }, received) {
        seen = received
        return { client: aClient({ clientId }) }
      },
    })
    const deadline = Date.now() + 60_000
    const answer = await remote.clients.getClient(
      { clientId: 'x' },
      { ...context, deadline, overrideReason: 'Gebühr für März: 100 % — “zu spät”' },
    )
    assert.deepEqual(answer, { client: aClient({ clientId: 'x' }) })
    // gRPC sends the remaining time, so the time in transit is added.
    assert.ok(Math.abs((seen?.deadline ?? 0) - deadline) < 30_000)
    assert.deepEqual(
      { ...seen, deadline },
      { ...context, deadline, overrideReason: 'Gebühr für März: 100 % — “zu spät”' },
    )
  })

  it('has no commit id if it only reads', async () => {
    const seen: (CallContext | undefined)[] = []
    const remote = await overGrpc(atEnd, {
      async getClient(_, received) {
        seen.push(received)
        return { client: aClient() }
      },
    })
    const read = { actor: 'a', requestId: 'r' }
    await remote.clients.getClient({ clientId: 'x' }, read)
    assert.equal(seen[0]?.commitId, undefined)
  })

  it('returns every error unchanged', async () => {
    const violations = [
      { pointer: '/serviceFee', code: 'too_large', message: 'It is 10; “at most 9”.' },
      { pointer: '/a~1b', code: 'unknown_field', message: 'Leave it out.' },
    ]
    const errors = [
      new CodedError('validation_failed', 'Größer: was nun? 100%', { violations }),
      ...(['not_found', 'precondition_failed', 'idempotency_key_reused', 'unavailable'] as const).map(coded),
      ...(['outcome_unknown', 'internal_error'] as const).map(coded),
    ]
    const remote = await overGrpc(atEnd, {
      async getClient({ clientId }) {
        throw errors[Number(clientId)]
      },
    })
    for (const [index, { code, message, violations }] of errors.entries()) {
      const asked = remote.clients.getClient({ clientId: `${index}` }, context)
      const error = await asked.catch((caught: unknown) => caught)
      assert.ok(error instanceof CodedError)
      const { code: sentCode, message: sentMessage, violations: sentViolations } = error
      assert.deepEqual([sentCode, sentMessage, sentViolations], [code, message, violations])
    }
  })

  it('returns as many of very many violations as fit in the trailers', async () => {
    const violations = Array.from({ length: 12_000 }, (_, index) => ({
      pointer: `/field${index}`,
      code: 'unknown_field',
      message: 'Leave it out.',
    }))
    const remote = await overGrpc(atEnd, {
      async getClient() {
        throw new CodedError('validation_failed', 'See the violations.', { violations })
      },
    })
    const streamed = await remote.clients.getClient({ clientId: 'x' }, context).catch((caught: unknown) => caught)
    assert.ok(streamed instanceof CodedError)
    assert.deepEqual(streamed.violations, violations.slice(0, streamed.violations.length))
    assert.ok(streamed.violations.length >= 50 && streamed.violations.length <= 100)
    const plain = clientFromProtoFile(
      remote.address,
      'mint.contracts.v1.ClientsService',
      'mint/contracts/v1/clients.proto',
    )
    atEnd(() => plain.close())
    const error = await plain.call('GetClient', { clientId: 'x' }).catch((caught: unknown) => caught)
    const { code, metadata } = error as ServiceError
    assert.equal(code, status.INVALID_ARGUMENT)
    const trailer = metadata.get('grpc-status-details-bin')[0] as Buffer
    assert.ok(trailer.toString('base64').length < 8_192, `${trailer.length} bytes`)
  })

  it('hides the text of an unexpected error', async () => {
    const remote = await overGrpc(atEnd, {
      async getClient() {
        throw new Error('password=hunter2')
      },
    })
    const error = await remote.clients.getClient({ clientId: 'x' }).catch((caught: unknown) => caught)
    assert.ok(error instanceof CodedError)
    assert.equal(error.code, 'internal_error')
    assert.ok(!JSON.stringify([error.message, String(error.cause)]).includes('hunter2'))
  })

  it('ends at its deadline, while the server keeps answering others', async () => {
    let release = (): void => {}
    const remote = await overGrpc(
      atEnd,
      {
        getClient: async ({ clientId }) => {
          if (clientId === 'slow') await new Promise<void>((resolve) => (release = resolve))
          return { client: aClient() }
        },
      },
      { timeoutMilliseconds: 150 },
    )
    const quick = () => {
      const deadline = Date.now() + 10_000
      return remote.clients.getClient({ clientId: 'quick' }, { actor: 'a', requestId: 'r', deadline })
    }
    await quick()
    // Before its answer arrives, which would also end it.
    await assert.rejects(remote.clients.getClient({ clientId: 'slow' }), { code: 'unavailable' })
    release()
    assert.deepEqual(await quick(), { client: aClient() })
  })

  it('can return a page above gRPC’s default limit of 4 MB', async () => {
    const clients = Array.from({ length: 100 }, () => aClient({ displayName: 'x'.repeat(45_000) }))
    const remote = await overGrpc(atEnd, { listClients: async () => ({ clients, total: 100 }) })
    const answer = await remote.clients.listClients({ search: '', limit: 100, offset: 0 })
    assert.equal(answer.clients.length, 100)
  })

  it('completes if it is in progress when the server stops, and is refused afterwards', async () => {
    let release: (() => void) | undefined
    const remote = await overGrpc(atEnd, {
      getClient: async () => {
        await new Promise<void>((resolve) => (release = resolve))
        return { client: aClient() }
      },
    })
    const underWay = remote.clients.getClient({ clientId: 'x' })
    await waitFor(() => release, { what: 'the call to arrive' })
    const stopped = remote.server.stop(1_000)
    release?.()
    assert.deepEqual(await underWay, { client: aClient() })
    await stopped
    await assert.rejects(remote.clients.getClient({ clientId: 'x' }), { code: 'unavailable' })
  })
})
