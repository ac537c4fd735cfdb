import assert from 'node:assert/strict'
import { describeOnDatabases } from '../../support/database-fixtures.ts'

describeOnDatabases('Stored texts', (open) => {
  it('are stored once by whoever is first, and replaced only by who knows the stored one', async () => {
    const under = await open([])
    const [one, other] = [under.database.storedText('keys'), (await under.beside()).storedText('keys')]
    assert.equal(await one.read(), undefined)
    const stored = await Promise.all([one.replace(undefined, 'first'), other.replace(undefined, 'second')])
    assert.deepEqual(stored.toSorted(), [false, true])
    const text = stored[0] ? 'first' : 'second'
    assert.deepEqual([await one.read(), await other.read()], [text, text])
    assert.equal(await other.replace('another', 'third'), false)
    assert.deepEqual((await Promise.all([one.replace(text, 'third'), other.replace(text, 'fourth')])).toSorted(), [
      false,
      true,
    ])
    assert.equal(await other.read(), await one.read())
  })

  it('are the same after a reopen, each under its own name', async () => {
    const under = await open([])
    await under.database.storedText('keys').replace(undefined, '{"a": "é"}')
    const database = await under.reopen([])
    assert.equal(await database.storedText('keys').read(), '{"a": "é"}')
    assert.equal(await database.storedText('others').read(), undefined)
  })
})
