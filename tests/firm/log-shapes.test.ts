import assert from 'node:assert/strict'
import { whyUnreadable } from '../../cli/admin/log-shapes.ts'
import { CLOSING } from '../../services/contracts/closing/view.ts'
import { FIRM } from '../../services/contracts/firm/view.ts'

const edited = (data: object, stream = FIRM) => whyUnreadable(stream, 1, { type: 'FirmEdited.v1', data })

describe('An event of the firm in a foreign log', () => {
  it('is readable in the form that Mint writes', () => {
    for (const data of [
      { name: 'Harbour', address: '12 Quay Street\nHalifax', email: '', phone: '', taxId: '' },
      ...[{ currency: 'CAD' }, { currency: '' }, { timeZone: 'UTC' }, { timeZone: 'Asia/Kolkata' }],
    ]) {
      assert.equal(edited(data), undefined)
    }
  })

  it('is refused with a value that would make later requests fail', () => {
    for (const timeZone of ['', 'Middle/Earth']) assert.match(edited({ timeZone }) ?? '', /^timeZone: /)
    for (const currency of ['eur', 'QQQ']) assert.match(edited({ currency }) ?? '', /^currency: /)
    assert.match(edited({ email: 'x' }) ?? '', /^email: /)
  })

  it('is refused on another stream, and so is a closing', () => {
    assert.match(edited({ name: 'Harbour' }, { ...FIRM, id: 'other' }) ?? '', /only firm is known/)
    const closing = { type: 'ClosingSet.v1', data: { closedThrough: null, reason: 'x' } }
    assert.equal(whyUnreadable(CLOSING, 1, closing), undefined)
    assert.match(whyUnreadable({ ...CLOSING, id: 'other' }, 1, closing) ?? '', /only contracts is known/)
  })
})
