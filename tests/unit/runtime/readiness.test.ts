import assert from 'node:assert/strict'
import { createReadiness } from '../../../shared/runtime/process/readiness.ts'
import { collectingLogger } from '../../support/collecting-logger.ts'

describe('Readiness', () => {
  const works = async () => undefined
  const fails = () => Promise.reject(new Error('mongodb://user:password@host is away'))
  const never = () => new Promise<never>(() => undefined)

  it('names what fails or does not answer in time, without further detail', async () => {
    const checks = [
      { name: 'contracts', check: works },
      { name: 'businesses', check: fails },
      { name: 'keys', check: never },
    ]
    const readiness = createReadiness(checks, { timeoutMilliseconds: 20 })
    assert.deepEqual(await readiness(), { ready: false, missing: ['businesses', 'keys'] })
    assert.deepEqual(await createReadiness([{ name: 'contracts', check: works }])(), { ready: true, missing: [] })
  })

  it('says in the log why something can’t be used', async () => {
    const { logger, lines } = collectingLogger()
    await createReadiness([{ name: 'keys', check: () => Promise.reject(new Error('the disk is full')) }], { logger })()
    const [{ msg, err } = {}] = lines
    assert.deepEqual([msg, (err as Error).message], ['keys can’t be used', 'the disk is full'])
  })

  it('checks once for all callers at the same time or shortly after, and again later', async () => {
    let looks = 0
    let now = 0
    const check = async () => ++looks
    const readiness = createReadiness([{ name: 'contracts', check }], { freshMilliseconds: 1_000, now: () => now })
    await Promise.all(Array.from({ length: 100 }, readiness))
    now = 999
    await readiness()
    assert.equal(looks, 1)
    now = 1_000
    await Promise.all([readiness(), readiness()])
    assert.equal(looks, 2)
  })
})
