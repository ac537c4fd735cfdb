import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { withoutSecrets } from '../../../shared/runtime/log/logger.ts'
import { bareEnvironment } from '../../support/bare-environment.ts'
import { forAll } from '../../support/for-all.ts'

describe('The log', () => {
  it('never shows a key or a password, whatever its characters and wherever it occurs', () => {
    const visible = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code))
    const secret = fc.string({ unit: visible, minLength: 16, maxLength: 128 })
    forAll([secret, fc.string()], (rest, before) => {
      const line = JSON.stringify({ err: { message: `${before} mint_${rest} refused` }, key: `mint_${rest}` })
      const { err, key } = JSON.parse(withoutSecrets(line))
      assert.ok(err.message.endsWith('mint_(hidden) refused'))
      assert.equal(key, 'mint_(hidden)')
    })
    const address = withoutSecrets('can’t reach mongodb://mint:pa55%40word@db.example:27017/?replicaSet=rs0')
    assert.equal(address, 'can’t reach mongodb://(hidden)@db.example:27017/?replicaSet=rs0')
  })

  it('leaves what is not secret unchanged', () => {
    const line =
      '{"code":"unavailable","path":"/contracts/7?search=a@b","db":"mint_contracts","at":"http://127.0.0.1:8080/x"}'
    assert.equal(withoutSecrets(line), line)
  })

  it('is one JSON object per line, and readable text on a terminal', async () => {
    const json = JSON.parse(await logged(false))
    assert.deepEqual(
      { ...json, time: typeof json.time, pid: typeof json.pid },
      { level: 40, time: 'string', pid: 'number', name: 'contracts', requestId: 'r-1', msg: 'waiting for MongoDB' },
    )
    const words = await logged(true)
    assert.match(words, /^\[\d\d:\d\d:\d\d\.\d{3}\] WARN \(contracts\): waiting for MongoDB\n {4}requestId: "r-1"\n$/)
  })
})

/** What a process with a logger writes for one line. */
async function logged(readable: boolean): Promise<string> {
  const script = `
    import { createLogger } from './shared/runtime/log/logger.ts'
    const logger = createLogger({ name: 'contracts', level: 'info', readable: ${readable} })
    logger.warn({ requestId: 'r-1' }, 'waiting for MongoDB')
  `
  const { stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    env: bareEnvironment(),
  })
  return stderr
}
