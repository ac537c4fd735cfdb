import assert from 'node:assert/strict'
import { ownersOf } from '../../../shared/adapters/mongo/connection/connected-processes.ts'

describe('The processes connected to MongoDB', () => {
  const connected = [
    ...['mint_contracts', 'mint_gateway'].map((database) => ({ database, version: '0.2.0', at: 'host/1' })),
    ...['mint_contracts', 'mint_gateway'].map((database) => ({ database, version: '0.2.1', at: 'host/2' })),
    ...['mint_businesses', 'mint_gateway'].map((database) => ({ database, version: '0.2.0', at: 'host/3' })),
    { database: 'mint_gateway', version: '0.2.0', at: 'host/4' },
    ...['mint_contracts', 'mint_businesses', 'mint_gateway'].map((database) => ({
      database,
      version: '0.2.0',
      at: 'a-command/5',
    })),
    { database: 'other_contracts', version: '0.2.0', at: 'host/6' },
    { database: 'mint_contracts', version: undefined, at: undefined },
  ]
  const owners = (database: string) => ownersOf(database, connected).map(({ at }) => at)

  it('belong to a service if they use its database, to gateways if they use only theirs, and never include commands', () => {
    assert.deepEqual(owners('mint_contracts'), ['host/1', 'host/2', undefined])
    assert.deepEqual(owners('mint_businesses'), ['host/3'])
    assert.deepEqual(owners('mint_gateway'), ['host/4'])
    assert.deepEqual(owners('other_contracts'), ['host/6'])
  })
})
