import assert from 'node:assert/strict'
import { businessesView } from '../../../services/businesses/business/kind.ts'
import { contractsView } from '../../../services/contracts/contract/view.ts'
import { decodeRow, encodeRow } from '../../../shared/adapters/sqlite/views/view-shape.ts'
import type { AnyViewDefinition } from '../../../shared/event-sourcing/ports/view.ts'

describe('The state of a row', () => {
  it('is stored without the names of its fields, and read with all of them', () => {
    for (const definition of [contractsView, businessesView] as AnyViewDefinition[]) {
      const { fields = [] } = definition
      assert.ok(fields.length > 0)
      const values = Object.fromEntries(fields.map((name) => [name, `value of ${name}`]))
      const state: Record<string, unknown> = { ...values, id: '7', createdAt: 1, updatedAt: 2 }
      if (values.taxId) state.taxId = null
      const row = { view: definition.name, id: '7', version: 3, at: 2, state }
      const encoded = encodeRow(definition, row)
      assert.deepEqual(
        JSON.parse(encoded.state),
        fields.map((name) => state[name]),
      )
      assert.deepEqual(decodeRow(definition, encoded).state, state)
    }
  })
})
