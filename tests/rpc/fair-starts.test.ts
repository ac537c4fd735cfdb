import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ClientHttp2Stream } from 'node:http2'
import { configuredKey } from '../../shared/api-keys/serving/accepted-keys.ts'
import { CodedError } from '../../shared/calls/errors.ts'
import { atEnd } from '../support/cleanup.ts'
import { overGrpc } from '../support/clients-service.ts'
import { block, countTurns } from '../support/count-turns.ts'
import { TEST_KEY, withKey } from '../support/grpc-access.ts'
import { EMPTY_MESSAGE, http2Connection, openCall } from '../support/raw-grpc.ts'
import { staticApiKeys } from '../support/static-api-keys.ts'
import { waitFor } from '../support/wait-for.ts'

const OTHER_KEY = 'mint_another-key-for-the-suite'
const GET_CLIENT = '/mint.contracts.v1.ClientsService/GetClient'

describe('Calls of a key over gRPC that arrive together', () => {
  /** A server that takes longer than a key's share of a turn to admit a call, and to answer it. */
  async function given() {
    const counted = countTurns()
    atEnd(() => counted.stop())
    const admitted: { readonly principal: string; readonly turn: number }[] = []
    const answered: number[] = []
    const countKey = (principal: string) => {
      admitted.push({ principal, turn: counted.now() })
      block(4)
      return { isRefused: false, left: 1 }
    }
    const getClient = async () => {
      answered.push(counted.now())
      block(4)
      throw new CodedError('not_found', 'There is nothing.')
    }
    const apiKeys = staticApiKeys([TEST_KEY, OTHER_KEY].map(configuredKey))
    const { address } = await overGrpc(atEnd, { getClient }, { bounds: { countKey, apiKeys } })
    const session = await http2Connection(address)
    const open = (key?: string) => openCall(session, GET_CLIENT, withKey(key)).resume()
    const ended = (stream: ClientHttp2Stream) => once(stream, 'close')
    await ended(open().end(EMPTY_MESSAGE))
    admitted.length = 0
    answered.length = 0
    return { open, ended, admitted, answered }
  }

  it('are admitted over several turns of the event loop, so that others have their turn in between', async () => {
    const { open, ended, admitted } = await given()
    const streams = Array.from({ length: 20 }, () => open())
    await waitFor(() => admitted.length === 20, { what: 'all calls' })
    assert.equal(new Set(admitted.map(({ turn }) => turn)).size, 20)
    await Promise.all(streams.map((stream) => ended(stream.end(EMPTY_MESSAGE))))
  })

  it('are answered over several turns, if their messages are completed together', async () => {
    const { open, ended, admitted, answered } = await given()
    const streams = Array.from({ length: 20 }, () => open())
    await waitFor(() => admitted.length === 20, { what: 'all calls' })
    await Promise.all(streams.map((stream) => ended(stream.end(EMPTY_MESSAGE))))
    assert.deepEqual([answered.length, new Set(answered).size], [20, 20])
  })

  it('don’t delay another key’s over a connection that both use, as behind a proxy', async () => {
    const { open, ended, admitted } = await given()
    const streams = Array.from({ length: 80 }, () => ended(open().end(EMPTY_MESSAGE)))
    await waitFor(() => admitted.length > 0, { what: 'the first call' })
    const before = admitted.length
    await ended(open(OTHER_KEY).end(EMPTY_MESSAGE))
    const other = configuredKey(OTHER_KEY).principal
    const waited = admitted.findIndex(({ principal }) => principal === other) - before
    assert.ok(waited < 30, `${waited} calls of the first key were admitted before it`)
    await Promise.all(streams)
  })

  it('are forgotten if their caller leaves before they are admitted', async () => {
    const { open, ended, admitted } = await given()
    const streams = Array.from({ length: 50 }, () => open())
    await waitFor(() => admitted.length > 0, { what: 'the first call' })
    await Promise.all(
      streams.map((stream) => {
        const left = ended(stream)
        stream.close()
        return left
      }),
    )
    await ended(open(OTHER_KEY).end(EMPTY_MESSAGE))
    assert.ok(admitted.length < 50, `${admitted.length} calls were admitted`)
  })
})
