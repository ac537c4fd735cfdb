import assert from 'node:assert/strict'
import { createRouteTable } from '../../../gateway/routes/route-table.ts'

describe('The route table', () => {
  const find = createRouteTable([
    ['/contracts', 'list'],
    ['/contracts.csv', 'csv'],
    ['/contracts/:id', 'one'],
    ['/contracts/:id/history', 'history'],
    ['/businesses/:id', 'business'],
    ['/console', 'page'],
    ['/console/*path', 'files'],
  ])

  it('finds a fixed path', () => {
    assert.deepEqual(find('/contracts'), { value: 'list', parameters: {} })
    assert.deepEqual(find('/contracts.csv'), { value: 'csv', parameters: {} })
  })

  it('finds a template, and returns its decoded parameters', () => {
    assert.deepEqual(find('/contracts/7'), { value: 'one', parameters: { id: '7' } })
    assert.deepEqual(find('/contracts/a%2Fb%20c/history'), { value: 'history', parameters: { id: 'a/b c' } })
    assert.deepEqual(find('/businesses/x'), { value: 'business', parameters: { id: 'x' } })
  })

  it('finds anything in a folder, at any depth', () => {
    assert.deepEqual(find('/console'), { value: 'page', parameters: {} })
    assert.deepEqual(find('/console/1/frame/address.ts'), { value: 'files', parameters: {} })
    for (const path of ['/console/', '/consoles/a', '/a/console/b']) assert.equal(find(path), undefined)
  })

  for (const path of ['/', '', '/contracts/', '/Contracts', '/contracts/7/', '/contracts/7/History', '//contracts']) {
    it(`finds nothing at "${path}": case and slashes count`, () => {
      assert.equal(find(path), undefined)
    })
  }
})
