import assert from 'node:assert/strict'
import { describeOnDatabases } from '../../support/database-fixtures.ts'

describeOnDatabases('Documents', (open) => {
  it('are written, replaced and removed together, and read by key', async () => {
    const documents = (await open([])).database.documents('webhooks')
    await documents.write([
      ['a', '{"n": 1}'],
      ['b', 'é'],
    ])
    await documents.write([
      ['a', undefined],
      ['b', 'two'],
      ['c', ''],
      ['unknown', undefined],
    ])
    assert.deepEqual(
      [await documents.read('a'), await documents.read('b'), await documents.read('c')],
      [undefined, 'two', ''],
    )
  })

  it('are listed by key prefix, in order', async () => {
    const documents = (await open([])).database.documents('webhooks')
    await documents.write(['x/2', 'x/10', 'x', 'y/1', 'x/'].map((key) => [key, `of ${key}`] as const))
    assert.deepEqual(
      [...(await documents.list('x/'))],
      [
        ['x/', 'of x/'],
        ['x/10', 'of x/10'],
        ['x/2', 'of x/2'],
      ],
    )
    assert.equal((await documents.list('')).size, 5)
    assert.equal((await documents.list('z')).size, 0)
  })

  it('are removed by key prefix, and only those of their kind', async () => {
    const { database } = await open([])
    const [documents, others] = [database.documents('webhooks'), database.documents('others')]
    const changes = ['x/2', 'x/10', 'x', 'y/1', 'x/'].map((key) => [key, `of ${key}`] as const)
    await Promise.all([documents.write(changes), others.write(changes)])
    await documents.removeAll('x/')
    await documents.removeAll('z')
    assert.deepEqual([...(await documents.list('')).keys()], ['x', 'y/1'])
    assert.equal((await others.list('')).size, 5)
  })

  it('survive a reopen, separately for each kind, and are visible to other processes', async () => {
    const under = await open([])
    await under.database.documents('webhooks').write([['a', 'one']])
    assert.equal(await (await under.beside()).documents('webhooks').read('a'), 'one')
    const database = await under.reopen([])
    assert.equal(await database.documents('webhooks').read('a'), 'one')
    assert.equal((await database.documents('others').list('')).size, 0)
  })

  it('are replaced only by a caller that knows the stored text, and created only by the first caller', async () => {
    const under = await open([])
    const [one, other] = [under.database.documents('keys'), (await under.beside()).documents('keys')]
    const made = await Promise.all([one.replace('a', undefined, 'first'), other.replace('a', undefined, 'second')])
    assert.deepEqual(made.toSorted(), [false, true])
    const text = made[0] ? 'first' : 'second'
    assert.deepEqual([await one.read('a'), await other.read('a')], [text, text])
    assert.equal(await other.replace('a', 'another', 'third'), false)
    const replaced = await Promise.all([one.replace('a', text, 'third'), other.replace('a', text, 'fourth')])
    assert.deepEqual(replaced.toSorted(), [false, true])
    assert.equal(await other.read('a'), await one.read('a'))
  })

  it('accept an empty list of changes', async () => {
    const documents = (await open([])).database.documents('webhooks')
    await documents.write([])
    assert.equal((await documents.list('')).size, 0)
  })
})
