import assert from 'node:assert/strict'
import { findPages, numberIn } from '../../../console/find/found.ts'

describe('Finding by text', () => {
  it('takes text for a contract number if it can be nothing else', () => {
    const texts = ['7', ' #7 ', '# 0007', 'contract 7', 'Contract #7']
    const others = ['0', '-7', '7.5', '7 days', 'business 7', 'contract', '', '9'.repeat(16)]
    const numberOf = (text: string) => numberIn(text, 'Contract')
    assert.deepEqual(new Set(texts.map(numberOf)), new Set([7]))
    assert.deepEqual(new Set(others.map(numberOf)), new Set([undefined]))
  })

  it('finds pages by the start of their names, in upper or lower case', () => {
    const pages = [
      { path: '/overview', inNavigation: 'Übersicht' },
      { path: '/overview/clients' },
      { path: '/keys', inNavigation: 'Keys' },
    ]
    assert.deepEqual(findPages(pages, 'ÜBER'), [{ kind: 'Page', name: 'Übersicht', path: '/overview' }])
    assert.deepEqual(findPages(pages, 'eys'), [])
  })
})
