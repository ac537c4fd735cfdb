import assert from 'node:assert/strict'
import { whyUnreadable } from '../../../cli/admin/log-shapes.ts'
import { CLOSING } from '../../../services/contracts/closing/view.ts'
import { FIRM } from '../../../services/contracts/firm/view.ts'
import { aContract } from '../../support/requests.ts'

const ID = '0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b'
const KEY = { category: 'api-key', id: ID }
const PROPOSAL = { category: 'proposal', id: ID }
const aKey = { id: ID, name: 'Website', scopes: ['contracts:read'], sha256: '0'.repeat(64) }
const edit = { action: 'edit', contractId: 7, contractVersion: 1, fields: { notes: '' } }
const { contractVersion: _, ...versionless } = edit

const keyOf = (expiresAt: number | null) =>
  whyUnreadable(KEY, 1, { type: 'ApiKeyCreated.v1', data: { ...aKey, expiresAt } })
const firmOf = (data: object, stream = FIRM) => whyUnreadable(stream, 1, { type: 'FirmEdited.v1', data })
const closingOf = (stream: typeof CLOSING) =>
  whyUnreadable(stream, 1, { type: 'ClosingSet.v1', data: { closedThrough: null, reason: 'x' } })
const proposalOf = (change: object) =>
  whyUnreadable(PROPOSAL, 1, { type: 'ProposalMade.v1', data: { id: ID, reason: 'x', proposedBy: 'agent', ...change } })
const decisionOf = (type: string, data: object, version = 2) =>
  whyUnreadable(PROPOSAL, version, { type, data: { decidedBy: 'key-1', ...data } })

describe('An event in a foreign log', () => {
  it('is readable in every form that Mint writes', () => {
    const whys = [
      ...[null, Date.parse('9999-12-31T23:59:59.999Z')].map(keyOf),
      firmOf({ name: 'Harbour', address: '12 Quay Street\nHalifax', email: '', phone: '', taxId: '' }),
      ...[{ currency: 'CAD' }, { currency: '' }, { timeZone: 'UTC' }, { timeZone: 'Asia/Kolkata' }].map((data) =>
        firmOf(data),
      ),
      closingOf(CLOSING),
      ...[edit, { action: 'create', fields: aContract() }].map(proposalOf),
      decisionOf('ProposalAccepted.v1', { contractId: 7, decidedAt: 1 }),
      decisionOf('ProposalDeclined.v1', { reason: 'x' }),
    ]
    assert.deepEqual(new Set(whys), new Set([undefined]))
  })

  for (const [what, why, expected] of [
    ['a key whose expiry no answer can show', keyOf(Date.parse('+010000-01-01T00:00:00Z')), /^expiresAt: /],
    ['a key whose expiry is no moment', keyOf(8.64e15 + 1), /^expiresAt: /],
    ['a key whose expiry is no whole number', keyOf(0.5), /^expiresAt: /],
    ['a firm without a time zone', firmOf({ timeZone: '' }), /^timeZone: /],
    ['a firm in no time zone', firmOf({ timeZone: 'Middle/Earth' }), /^timeZone: /],
    ['a firm with a currency in lower case', firmOf({ currency: 'eur' }), /^currency: /],
    ['a firm with no currency', firmOf({ currency: 'QQQ' }), /^currency: /],
    ['a firm with no e-mail address', firmOf({ email: 'x' }), /^email: /],
    ['another firm', firmOf({ name: 'Harbour' }, { ...FIRM, id: 'other' }), /only firm is known/],
    ['another closing', closingOf({ ...CLOSING, id: 'other' }), /only contracts is known/],
    ['a proposal for no version', proposalOf(versionless), /^is neither a new/],
    ['a proposal of no known action', proposalOf({ ...edit, action: 'delete' }), /^is neither a new/],
    ['a proposal with a fee that is no number', proposalOf({ ...edit, fields: { serviceFee: 'x' } }), /serviceFee/],
    ['a proposal for contract 0', proposalOf({ ...edit, contractId: 0 }), /contractId/],
    [
      'a proposal for a contract without its fields',
      proposalOf({ action: 'create', fields: { notes: '' } }),
      /^is neither a new/,
    ],
    ['a proposal on the stream of another', proposalOf({ ...edit, id: ID.replace(/b$/, 'c') }), /id/],
    ['a decision without a proposal', decisionOf('ProposalDeclined.v1', { reason: 'x' }, 1), /begins with/],
  ] as const) {
    it(`is refused if later requests would fail: ${what}`, () => assert.match(why ?? '', expected))
  }
})
