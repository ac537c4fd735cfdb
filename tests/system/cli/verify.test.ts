import assert from 'node:assert/strict'
import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { contractsView } from '../../../services/contracts/contract/view.ts'
import { type LedgerShape, ledgerTables } from '../../../shared/adapters/sqlite/sums/ledger-tables.ts'
import { shapeOf } from '../../../shared/adapters/sqlite/views/view-shape.ts'
import { contractFields } from '../../../shared/fields/contract-fields.ts'
import { type CommandEnd, jsonLines, mint } from '../../support/command-line.ts'
import { fillFolder } from '../../support/filled-folder.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const CONTRACTS = 60
const BUSINESSES = 20
const UNCHANGED = 3
const REFUSED = 2
const EVENTS = CONTRACTS + CONTRACTS / 3 + 2 * BUSINESSES + UNCHANGED + REFUSED

/** A change to a database behind Mint's back, and the differences that `mint verify` must find. */
interface Damage {
  readonly what: string
  readonly sql: string
  readonly database?: 'contracts' | 'businesses'
  /** Kind and place of each difference, and its message where that matters. */
  readonly found: readonly (readonly [kind: string, where: RegExp, message?: RegExp])[]
}

const NEWEST = `(SELECT max(position) FROM events WHERE category = 'contract')`
const FIRST_CLIENT = `(SELECT min(position) FROM events WHERE category = 'client')`
const FIRST_CLIENT_ID = `(SELECT stream_id FROM events WHERE position = ${FIRST_CLIENT})`
/** The JSON path of the notes in a contract's state, which is stored without field names. */
const NOTES = `$[${Object.keys(contractFields).indexOf('notes')}]`
const SWAPPED = `('incomplete', 'events_by_stream')`
const LAST_ACCEPTED = `(SELECT max(position) FROM events WHERE category = 'accepted-request')`

const { versions } = ledgerTables('view_contracts_1', shapeOf(contractsView).versions as LedgerShape)

/** Those of rows, versions and labels in general are in tests/adapters/ports/view-copies.test.ts. */
const damages: readonly Damage[] = [
  {
    what: 'a removed event',
    sql: `DELETE FROM events WHERE category = 'contract' AND stream_id = '6' AND version = 1`,
    found: [
      ['position', /^position \d+$/],
      ['version', /^contract 6$/],
      ['unreadable', /^contract 6, version 2$/],
    ],
  },
  {
    what: 'a skipped version',
    sql: `UPDATE events SET version = 3 WHERE category = 'contract' AND stream_id = '6' AND version = 2`,
    found: [
      ['version', /^contract 6$/],
      ['view', /^view contracts, row 6$/],
      ['ledger', /^ledger of contracts, row 6, version 2$/],
      ['ledger', /^ledger of contracts, row 6, version 3$/],
    ],
  },
  {
    what: 'a version that is there twice',
    sql: `DROP INDEX events_by_stream; DROP INDEX events_by_commit;
      CREATE TEMP TABLE again AS SELECT * FROM events WHERE category = 'contract' AND stream_id = '6' AND version = 2;
      UPDATE again SET position = (SELECT max(position) + 1 FROM events), commit_id = 'another';
      INSERT INTO events SELECT * FROM again`,
    found: [
      ['version', /^contract 6$/],
      ['unreadable', /^contract 6, version 2$/],
    ],
  },
  {
    what: 'a time that goes backwards within a stream',
    sql: `UPDATE events SET at = at - 100000 WHERE category = 'contract' AND stream_id = '6' AND version = 2`,
    found: [
      ['time', /^contract 6$/],
      ['view', /^view contracts, row 6$/],
      // Version 1 held until version 2.
      ['ledger', /^ledger of contracts, row 6, version 1$/],
      ['ledger', /^ledger of contracts, row 6, version 2$/],
    ],
  },
  {
    what: 'a wrong total',
    sql: `UPDATE events SET data = json_set(data, '$.totalFeeWithTax', '20') WHERE category = 'contract' AND stream_id = '7'`,
    found: [
      ['total', /^contract 7, version 1$/],
      ['view', /^view contracts, row 7$/],
      ['ledger', /^ledger of contracts, row 7, version 1$/],
    ],
  },
  {
    what: 'an event of an unknown type',
    sql: `UPDATE events SET type = 'ContractEnchanted.v1' WHERE position = ${NEWEST}`,
    found: [['unreadable', /^contract \d+, version \d$/]],
  },
  {
    what: 'a duplicate commit id',
    sql: `DROP INDEX events_by_commit;
      UPDATE events SET commit_id = (SELECT commit_id FROM events WHERE category = 'contract' AND stream_id = '1' LIMIT 1)
      WHERE category = 'contract' AND stream_id = '2' AND version = 1`,
    found: [['commit-id', /^commit \S+$/]],
  },
  {
    what: 'a client without its business',
    sql: `UPDATE events SET data = json_set(data, '$.businessId', 'bbbbbbbb-0000-0000-0000-000000000000')
      WHERE position = ${FIRST_CLIENT}`,
    found: [
      ['client', /^client \S+$/],
      ['view', /^view clients, row \S+$/],
    ],
  },
  {
    what: 'a client registered under another name than that of its business',
    sql: `UPDATE events SET data = json_set(data, '$.displayName', 'Forged') WHERE position = ${FIRST_CLIENT};
      UPDATE view_clients_1 SET state = json_set(state, '$.displayName', 'Forged') WHERE id = ${FIRST_CLIENT_ID}`,
    found: [
      ['client', /^client \S+$/],
      ['label', /^labels of clients, row \S+, version 1$/],
      ['view', /^view clients, row \S+$/],
    ],
  },
  {
    what: 'a remembered request for a record that does not exist',
    sql: `UPDATE events SET data = json_set(data, '$.id', '61') WHERE position = ${LAST_ACCEPTED}`,
    found: [['unreadable', /^accepted-request \S+$/]],
  },
  {
    what: 'a remembered request without data',
    sql: `UPDATE events SET data = '{}' WHERE position = ${LAST_ACCEPTED}`,
    found: [['unreadable', /^accepted-request \S+$/]],
  },
  {
    what: 'a remembered request under the wrong id',
    sql: `UPDATE events SET commit_id = 'another' WHERE position = ${LAST_ACCEPTED}`,
    found: [['version', /^accepted-request \S+$/]],
  },
  {
    what: 'a refused request under the wrong id',
    sql: `UPDATE events SET commit_id = 'another' WHERE category = 'refused-request' AND version = 2`,
    found: [['version', /^refused-request refused$/]],
  },
  {
    what: 'a sequence behind a number in use',
    sql: 'UPDATE sequences SET last = 59',
    found: [['sequence', /^sequence contract$/]],
  },
  {
    what: 'a sequence without numbers for new contracts',
    sql: 'UPDATE sequences SET last = 9007199254740991',
    found: [['sequence', /^sequence contract$/]],
  },
  {
    what: 'a contract whose name is a number',
    sql: `UPDATE events SET data = json_set(data, '$.serviceName', 7) WHERE category = 'contract' AND stream_id = '5'`,
    found: [['unreadable', /^contract 5, version 1$/]],
  },
  {
    what: 'a row indexed under the wrong client',
    sql: `UPDATE view_contracts_1_texts SET filter_clientId = 'another'
      WHERE key = (SELECT key FROM view_contracts_1 WHERE id = 5)`,
    found: [['view', /^view contracts, row 5$/]],
  },
  {
    what: 'a row whose end is missing',
    sql: 'UPDATE view_contracts_1 SET state = substr(state, 1, 20) WHERE id = 5',
    found: [['view', /^view contracts, row 5$/]],
  },
  {
    what: 'a missing row',
    sql: 'DELETE FROM view_businesses_1 WHERE key = (SELECT min(key) FROM view_businesses_1)',
    database: 'businesses',
    found: [
      ['view', /^view businesses, row \S+$/],
      ['view', /^view businesses$/, /count/],
    ],
  },
  {
    what: 'a total of a list that is not the number of rows',
    sql: 'UPDATE view_contracts_1_counts SET rows = rows + 1',
    found: [['view', /^view contracts$/, /count/]],
  },
  {
    what: 'a total of a list that is missing',
    sql: 'DELETE FROM view_businesses_1_counts',
    database: 'businesses',
    found: [['view', /^view businesses$/, /count/]],
  },
  {
    what: 'a text for filters without a row',
    sql: `INSERT INTO view_contracts_1_texts SELECT key + 1, filter_clientId, filter_serviceType, range_updatedAt,
      range_serviceDate, text FROM view_contracts_1_texts ORDER BY key DESC LIMIT 1`,
    found: [['view', /^view contracts$/, /count/]],
  },
  {
    what: 'an index that lacks a version',
    sql: `PRAGMA writable_schema = ON;
      CREATE INDEX incomplete ON events (category, stream_id, version) WHERE position <> 3;
      UPDATE sqlite_schema SET rootpage = (SELECT sum(rootpage) FROM sqlite_schema WHERE name IN ${SWAPPED}) - rootpage
        WHERE name IN ${SWAPPED};
      PRAGMA writable_schema = RESET;
      DROP INDEX incomplete`,
    found: [
      ['file', /^file of contracts$/, /wrong # of entries in index events_by_stream/],
      ['file', /^file of contracts$/, /missing from index events_by_stream/],
    ],
  },
  {
    what: 'a version with an unknown code',
    sql: `UPDATE ${versions} SET serviceType = 999 WHERE id = 7`,
    found: [['ledger', /^ledger of contracts, row 7, version 1$/, /\(no text has the code 999\)/]],
  },
]

describe('mint verify', () => {
  const whole = temporaryFolder()
  const damaged = temporaryFolder()

  before(() =>
    fillFolder(whole.path, { contracts: CONTRACTS, businesses: BUSINESSES, unchanged: UNCHANGED, refused: REFUSED }),
  )
  after(() => {
    whole.remove()
    damaged.remove()
  })

  const verify = (...words: readonly string[]): Promise<CommandEnd> =>
    mint(['verify', ...words], { DATA_DIR: damaged.path })

  function damage(sql: string, name = 'contracts'): void {
    cpSync(whole.path, damaged.path, { recursive: true })
    const database = new DatabaseSync(join(damaged.path, `${name}.db`), { defensive: false })
    database.exec(sql)
    database.close()
  }

  it('finds no difference in an intact Mint, counts what it checked, and exits with 0', async () => {
    damage('SELECT 1')
    const { exitCode, output, errors } = await verify('--json')
    assert.deepEqual([exitCode, errors], [0, ''])
    const summary = { type: 'summary', events: EVENTS, streams: CONTRACTS + 2 * BUSINESSES, differences: 0 }
    assert.deepEqual(jsonLines(output), [summary])
    assert.deepEqual(readdirSync(damaged.path).sort(), readdirSync(whole.path).sort())
  })

  it('prints a readable line for each difference, and what to do', async () => {
    damage(`UPDATE view_contracts_1 SET state = json_set(state, '${NOTES}', 'forged') WHERE id IN (5, 8)`)
    const { exitCode, output, errors } = await verify()
    assert.equal(exitCode, 3)
    assert.deepEqual(output.trimEnd().split('\n'), [
      'contracts: view contracts, row 5: it differs from what the log folds to (view)',
      'contracts: view contracts, row 8: it differs from what the log folds to (view)',
      `${EVENTS} events of ${CONTRACTS + 2 * BUSINESSES} records checked: 2 differences.`,
    ])
    assert.match(errors, /docs\/cli\.md says how to repair views/)
    assert.equal((await mint(['views', 'rebuild', 'contracts'], { DATA_DIR: damaged.path })).exitCode, 0)
    assert.equal((await verify()).exitCode, 0)
  })

  it('lists the first 1,000 wrong versions of a view, and counts the others', async () => {
    const added = `UPDATE more SET id = id + 1000; INSERT INTO ${versions} SELECT * FROM more;`
    damage(`CREATE TEMP TABLE more AS SELECT * FROM ${versions}; ${added.repeat(17)}`)
    const lines = (await verify()).output.trimEnd().split('\n')
    const rest = 17 * (CONTRACTS + CONTRACTS / 3) - 1_000
    assert.equal(lines.length, 1_002)
    const message = `${rest} more versions are wrong: rebuild the view`
    assert.equal(lines.at(-2), `contracts: ledger of contracts: ${message} (ledger)`)
  })

  it('says which event is so damaged that the log can’t be read', async () => {
    damage(`UPDATE events SET data = substr(data, 1, 20) WHERE position = ${NEWEST}`)
    const { exitCode, errors } = await verify()
    assert.equal(exitCode, 1)
    assert.match(errors, /^the event at position \d+ is damaged: .* JSON at position 20/)
  })

  for (const { what, sql, database, found } of damages) {
    it(`finds ${what}, and exits with 3`, async () => {
      damage(sql, database)
      const { exitCode, output } = await verify('--json')
      assert.equal(exitCode, 3)
      const lines = jsonLines(output) as { type: string; part: string; kind: string; where: string; message: string }[]
      const differences = lines.filter(({ type }) => type === 'difference')
      assert.deepEqual(differences.map(({ kind }) => kind).sort(), found.map(([kind]) => kind).sort(), output)
      for (const [kind, where, says = /./] of found) {
        assert.ok(
          differences.some((one) => one.kind === kind && where.test(one.where) && says.test(one.message)),
          `${kind} ${where} ${says} in ${output}`,
        )
      }
      assert.ok(differences.every(({ part, message }) => part === (database ?? 'contracts') && message.length > 10))
    })
  }
})
