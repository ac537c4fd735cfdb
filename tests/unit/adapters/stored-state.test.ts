import assert from 'node:assert/strict'
import { businessesView } from '../../../services/businesses/business/kind.ts'
import { contractsView } from '../../../services/contracts/contract/view.ts'
import { decodeRow, encodeRow } from '../../../shared/adapters/sqlite/views/view-shape.ts'
import type { AnyViewDefinition, ViewDefinition, ViewRow } from '../../../shared/event-sourcing/ports/view.ts'
import { created, type Job, jobs } from '../../support/jobs.ts'

describe('The state of a row', () => {
  it('is stored without the names of its fields, and read with all of them', () => {
    for (const definition of [contractsView, businessesView] as AnyViewDefinition[]) {
      const names = Object.keys(definition.fields ?? {})
      assert.ok(names.length > 0)
      const fields = Object.fromEntries(names.map((name) => [name, `value of ${name}`]))
      const state: Record<string, unknown> = { ...fields, id: '7', createdAt: 1, updatedAt: 2 }
      if (fields.taxId) state.taxId = null
      const row = { view: definition.name, id: '7', version: 3, at: 2, state }
      const encoded = encodeRow(definition, row)
      assert.deepEqual(
        JSON.parse(encoded.state),
        names.map((name) => state[name]),
      )
      assert.deepEqual(decodeRow(definition, encoded).state, state)
      // As if a newer Mint had written it.
      const newer = encodeRow(definition, { ...row, state: { ...state, addedLater: 'unknown here' } })
      assert.deepEqual(decodeRow(definition, newer).state, state)
    }
  })

  it('would lose a field that the view doesn’t name, which therefore doesn’t compile', () => {
    const withoutTitle = { client: true, kind: true, due: true, hours: true, createdAt: true }
    // @ts-expect-error: it has no title.
    const definition: ViewDefinition<Job> = { ...jobs, fields: withoutTitle }
    const { rows } = created('1')
    const { title: _, ...others } = (rows[0] as ViewRow<Job>).state
    assert.deepEqual(decodeRow(definition, encodeRow(definition, rows[0] as ViewRow<Job>)).state, others)
  })
})
