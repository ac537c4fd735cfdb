import assert from 'node:assert/strict'
import { whyUnreadable } from '../../cli/admin/log-shapes.ts'
import { aContract } from '../support/requests.ts'

const ID = '0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b'
const whyOf = (type: string, data: object, version = 1) =>
  whyUnreadable({ category: 'proposal', id: ID }, version, { type, data })
const made = (change: object) => whyOf('ProposalMade.v1', { id: ID, reason: 'x', proposedBy: 'agent', ...change })
const edit = { action: 'edit', contractId: 7, contractVersion: 1, fields: { notes: '' } }

describe('A proposal event in an imported log', () => {
  it('is readable as Mint writes it', () => {
    for (const change of [edit, { action: 'create', fields: aContract() }]) assert.equal(made(change), undefined)
    const decided = { decidedBy: 'key-1' }
    assert.equal(whyOf('ProposalAccepted.v1', { ...decided, contractId: 7, decidedAt: 1 }, 2), undefined)
    assert.equal(whyOf('ProposalDeclined.v1', { ...decided, reason: 'x' }, 2), undefined)
  })

  it('is refused if accepting or showing the proposal would fail', () => {
    const { contractVersion: _, ...versionless } = edit
    for (const change of [
      versionless,
      { ...edit, action: 'delete' },
      { ...edit, fields: { serviceFee: 'x' } },
      { ...edit, contractId: 0 },
      { action: 'create', fields: { notes: '' } },
      { ...edit, id: '0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2c' },
    ]) {
      assert.notEqual(made(change), undefined, JSON.stringify(change))
    }
    assert.match(whyOf('ProposalDeclined.v1', { reason: 'x', decidedBy: 'y' }) ?? '', /begins with/)
  })
})
