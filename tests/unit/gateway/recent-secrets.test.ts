import assert from 'node:assert/strict'
import { createRecentSecrets } from '../../../gateway/auth/recent-secrets.ts'
import { cleanup } from '../../support/cleanup.ts'
import { waitFor } from '../../support/wait-for.ts'

describe('Recent secrets', () => {
  const atEnd = cleanup()
  const newRecentSecrets = (forgetMilliseconds?: number) => {
    const recent = createRecentSecrets(forgetMilliseconds)
    atEnd(recent.stop)
    return recent
  }

  it('are known by the hash that was remembered, and no others are', () => {
    const recent = newRecentSecrets()
    recent.remember('Bearer a', '1')
    assert.equal(recent.sha256Of('Bearer a'), '1')
    assert.equal(recent.sha256Of('Bearer A'), undefined)
    assert.equal(recent.sha256Of(''), undefined)
  })

  it('are forgotten some time after their last use', async () => {
    const recent = newRecentSecrets(100)
    recent.remember('idle', '1')
    recent.remember('busy', '2')
    const end = performance.now() + 300
    await waitFor(() => recent.sha256Of('busy') === '2' && performance.now() > end, { every: 1 })
    assert.equal(recent.sha256Of('idle'), undefined)
  })

  it('take bounded room, and those of busy callers stay', () => {
    const recent = newRecentSecrets()
    recent.remember('busy', '1')
    for (let other = 0; other < 10_000; other++) {
      recent.remember(`other ${other}`, '2')
      assert.equal(recent.sha256Of('busy'), '1')
    }
    const kept = Array.from({ length: 10_000 }, (_, other) => recent.sha256Of(`other ${other}`)).filter(Boolean)
    assert.ok(kept.length <= 2_000)
  })

  it('are forgotten when told so, also those that were not used for a while, and no others are', () => {
    const recent = newRecentSecrets()
    for (const secret of ['a', 'b']) recent.remember(secret, secret)
    // As many as are young at once, so that those before them are old.
    for (let other = 0; other < 1_000; other++) recent.remember(`other ${other}`, 'x')
    for (const secret of ['a', 'other 999']) recent.forget(secret)
    assert.deepEqual(['a', 'b', 'other 998', 'other 999'].map(recent.sha256Of), [undefined, 'b', 'x', undefined])
  })

  it('are all forgotten at the end', () => {
    const recent = newRecentSecrets()
    recent.remember('a', '1')
    recent.stop()
    assert.equal(recent.sha256Of('a'), undefined)
  })
})
