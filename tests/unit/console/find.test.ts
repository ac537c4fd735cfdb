import assert from 'node:assert/strict'
import { findPages, numberIn } from '../../../console/find/found.ts'

describe('Finding by a text', () => {
  it('takes a text for the number of a contract if it is nothing else', () => {
    const texts = ['7', ' #7 ', '# 0007', '0', '-7', '7.5', '7 days', '', '9'.repeat(16)]
    assert.deepEqual(texts.map(numberIn), [7, 7, 7, ...Array.from({ length: 6 }, () => undefined)])
  })

  it('finds pages by the beginning of their names, whatever the case', () => {
    const pages = [
      { path: '/overview', inNavigation: 'Übersicht' },
      { path: '/overview/clients' },
      { path: '/keys', inNavigation: 'Keys' },
    ]
    assert.deepEqual(findPages(pages, 'ÜBER'), [{ kind: 'Page', name: 'Übersicht', path: '/overview' }])
    assert.deepEqual(findPages(pages, 'eys'), [])
  })
})
