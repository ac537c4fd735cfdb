import assert from 'node:assert/strict'
import { changedTree } from '../support/changed-tree.ts'
import { atEnd } from '../support/cleanup.ts'
import { withoutStep } from './additions.ts'

describe('A kind of record that is added to a copy of the tree', () => {
  // In a separate tree: a failed import has type any, which would hide other missing steps.
  it('is reported by the compiler where its proto or its field table is missing', async () => {
    const edits = [...withoutStep('proto', 'refund'), ...withoutStep('fields', 'visit')]
    const errors = await atEnd.remove(await changedTree(edits)).compile()
    for (const what of [/refunds\.ts/, /visit-fields/]) assert.match(errors, what)
  }).timeout(180_000)
})
