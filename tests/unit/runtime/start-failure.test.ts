import assert from 'node:assert/strict'
import { checkIsFree } from '../../../shared/runtime/listen.ts'
import { explainFailure } from '../../../shared/runtime/process/start-failure.ts'

describe('Why a process can’t start', () => {
  it('names the setting of a port that its user may not listen on', () => {
    const error = Object.assign(new Error('listen EACCES: permission denied 127.0.0.1:80'), {
      code: 'EACCES',
      port: 80,
    })
    assert.deepEqual(explainFailure(error, 'PORT'), [
      'PORT=80 is not for this user to listen on: set PORT to a port from 1024 on (0: any free one).',
    ])
  })

  it('names the setting of a host that is not this machine, or that nobody knows', async () => {
    const elsewhere = await checkIsFree('192.0.2.1', 20_000).then(
      () => assert.fail(),
      (error) => error,
    )
    const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND nowhere.invalid'), { code: 'ENOTFOUND' })
    for (const error of [elsewhere, unknown]) {
      assert.deepEqual(explainFailure(error, 'PORT'), [
        `HOST or GRPC_HOST is not an address of this machine (${error.message}).`,
      ])
    }
  })
})
