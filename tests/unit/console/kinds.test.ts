import assert from 'node:assert/strict'
import { kinds, type RecordKind } from '../../../console/records/kinds.ts'
import { KINDS, type KindPlural } from '../../../shared/kinds/registry.ts'

/** The console imports nothing from Mint, so the compiler checks here that it has every kind of record. */
const inConsole: Readonly<Record<KindPlural, RecordKind>> = kinds

describe('The kinds of records in the console', () => {
  it('have the names that they have in the API', () => {
    for (const [one, { many }] of Object.entries(KINDS)) {
      assert.deepEqual([inConsole[many].one, inConsole[many].many], [one, many])
    }
  })
})
