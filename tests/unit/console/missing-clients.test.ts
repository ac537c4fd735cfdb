import assert from 'node:assert/strict'
import { businessesNamed, missingClients } from '../../../console/import/missing-clients.ts'

describe('The clients that an imported file names and Mint doesn’t know', () => {
  it('are each named once, as first written, whatever their spelling and whatever is wrong with the row', () => {
    const row = (text: string, code = 'unknown_client') => ({ line: 2, field: 'client', code, message: '', text })
    const wrong = [
      row('2026-01-01;"Roy; fils"'),
      row('2026-01-01;École d’Été'),
      row("2026-01-01;ECOLE D'ETE"),
      row('2026-01-01;Other', 'ambiguous_client'),
      row('2026-01-01;Straße'),
      row('2026-01-01;STRASSE '),
      row("2026-01-01;'=Roy"),
      row("2026-01-01;''t Hof"),
      row("2026-01-01;'s Lands"),
    ]
    const names = missingClients(wrong, { mapping: ['serviceDate', 'client'], delimiter: ';' })
    assert.deepEqual(names, ['Roy; fils', 'École d’Été', 'Straße', '=Roy', "'t Hof", "'s Lands"])
    assert.equal(businessesNamed(names), "legalName\n\"Roy; fils\"\nÉcole d’Été\nStraße\n=Roy\n''t Hof\n''s Lands")
  })
})
