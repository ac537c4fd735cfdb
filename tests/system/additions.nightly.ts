import assert from 'node:assert/strict'
import { changedTree, type Edit } from '../support/changed-tree.ts'
import { atEnd } from '../support/cleanup.ts'
import { businessField, contractField, unimplementedMethod, withoutFields, withoutStep } from './additions.ts'

describe('A kind of record and fields that are added incompletely to a copy of the tree', () => {
  it('are reported by the compiler wherever a part of the kind or a line of a field is missing', async () => {
    const { event: _event, before: _before, ...notInEvent } = contractField('notInEvent', 1001)
    const { record: _record, ...notInRecord } = contractField('notInRecord', 1002)
    const { changed: _changed, ...notInChanged } = contractField('notInChanged', 1003)
    const { table: _table, ...notInTable } = businessField('notInTable', 1001)
    const { change: _change, ...notInChange } = businessField('notInChange', 1002)
    const { create: _create, ...notInCreate } = businessField('notInCreate', 1003)
    const fields = { notInEvent, notInRecord, notInChanged, notInTable, notInChange, notInCreate }
    const edits = [
      ...withoutStep('concept', 'lease'),
      ...withoutStep('registry', 'draft'),
      ...withoutStep('console', 'grant'),
      ...withoutFields('rebate'),
      ...Object.values(fields).flatMap((edits): Edit[] => Object.values(edits)),
    ]
    const errors = await atEnd.remove(await changedTree(edits)).compile()
    for (const what of [
      /Property 'leases' is missing/,
      /'"?draft"?'/,
      /Property 'grants' is missing/,
      /Property 'fields' is missing/,
      ...Object.keys(fields).map((name) => new RegExp(name)),
    ]) {
      assert.match(errors, what)
    }
  }).timeout(180_000)

  // In a separate tree: a failed import has type any, and a missing kind hides what else is missing beside it.
  it('are reported where the kind’s proto, its field table or the implementation of a method is missing', async () => {
    const edits = [
      ...withoutStep('proto', 'refund'),
      ...withoutStep('fields', 'visit'),
      unimplementedMethod('PrintContract'),
    ]
    const errors = await atEnd.remove(await changedTree(edits)).compile()
    for (const what of [/refunds\.ts/, /visit-fields/, /printContract/]) assert.match(errors, what)
  }).timeout(180_000)
})
