import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { contractsView } from '../../../services/contracts/contract/view.ts'
import { type LedgerShape, ledgerTables } from '../../../shared/adapters/sqlite/sums/ledger-tables.ts'
import { shapeOf } from '../../../shared/adapters/sqlite/views/view-shape.ts'
import { jsonLines, mint } from '../../support/command-line.ts'
import { fillFolder } from '../../support/filled-folder.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** With an edit of every third, more versions than a page has. */
const CONTRACTS = 1_600

const { versions, codes } = ledgerTables('view_contracts_1', shapeOf(contractsView).versions as LedgerShape)
/** The last version. */
const IS_LAST = `(id, version) = (SELECT id, version FROM ${versions} ORDER BY at DESC LIMIT 1)`

interface Damage {
  readonly what: string
  /** A script, or what to do with the file. */
  readonly done: string | ((database: DatabaseSync) => void)
  /** Where, and what is said about it. */
  readonly found: readonly (readonly [where: RegExp, message: RegExp])[]
}

const LABELS = 'view_clients_1_labels'
const FIRST_CLIENT = `(SELECT min(id) FROM ${LABELS})`
const A_LABEL = /^labels of clients, row \S+, version 1$/
const AN_ENTRY = /^ledger of contracts, row \d+, version [12]$/
const WRONG_END = [AN_ENTRY, /^until is \d{4}-\S+Z, but (open|\d{4}-\S+Z) in the log$/] as const

const damages: readonly Damage[] = [
  {
    what: 'a version with the wrong amount',
    done: `UPDATE ${versions} SET serviceFee_rest = serviceFee_rest + 1 WHERE ${IS_LAST}`,
    found: [[AN_ENTRY, /^serviceFee is (25|19\.99)\.?0*1, but (25|19\.99) in the log$/]],
  },
  {
    what: 'a version for the wrong client',
    done: `INSERT INTO ${codes} (text) VALUES ('somebody else');
      UPDATE ${versions} SET clientId = (SELECT max(code) FROM ${codes}) WHERE ${IS_LAST}`,
    found: [[AN_ENTRY, /^clientId is somebody else, but [0-9a-f-]{36} in the log$/]],
  },
  {
    what: 'a version with the wrong type',
    done: `UPDATE ${versions} SET serviceType = clientId WHERE ${IS_LAST}`,
    found: [[AN_ENTRY, /^serviceType is [0-9a-f-]{36}, but bookkeeping in the log$/]],
  },
  {
    what: 'a version with the wrong date',
    done: `UPDATE ${versions} SET month = 202402, day = 29 WHERE ${IS_LAST}`,
    found: [[AN_ENTRY, /^date is 2024-02-29, but \d{4}-\d\d-\d\d in the log$/]],
  },
  {
    what: 'a version with the wrong time',
    done: `UPDATE ${versions} SET at = at - 1 WHERE ${IS_LAST}`,
    found: [[AN_ENTRY, /^at is \d{4}-\S+Z, but \d{4}-\S+Z in the log$/]],
  },
  {
    what: 'a missing version',
    done: `DELETE FROM ${versions} WHERE ${IS_LAST}`,
    found: [[AN_ENTRY, /^it is missing$/]],
  },
  {
    what: 'a version of a contract that is not in the log',
    done: `CREATE TEMP TABLE stray AS SELECT * FROM ${versions} WHERE ${IS_LAST};
      UPDATE stray SET id = 5000, version = 1;
      INSERT INTO ${versions} SELECT * FROM stray`,
    found: [[/^ledger of contracts, row 5000, version 1$/, /^it is not in the log$/]],
  },
  {
    what: 'a version with an unknown code',
    done: `UPDATE ${versions} SET serviceType = 999 WHERE ${IS_LAST}`,
    found: [[AN_ENTRY, /^serviceType is \(no text has the code 999\), but bookkeeping in the log$/]],
  },
  {
    what: 'an interval with the wrong end',
    done: `UPDATE ${versions} SET until = until - 1 WHERE ${IS_LAST}`,
    found: [WRONG_END],
  },
  {
    what: 'a changed label',
    done: `UPDATE ${LABELS} SET label = 'Forged' WHERE id = ${FIRST_CLIENT}`,
    found: [[A_LABEL, /^label is Forged, but Business \d in the log$/]],
  },
  {
    what: 'a label with the wrong start time',
    done: `UPDATE ${LABELS} SET since = since - 1 WHERE id = ${FIRST_CLIENT}`,
    found: [[A_LABEL, /^since is \S+Z, but \S+Z in the log$/]],
  },
  {
    what: 'a missing label',
    done: `DELETE FROM ${LABELS} WHERE id = ${FIRST_CLIENT}`,
    found: [[A_LABEL, /^it is missing$/]],
  },
  {
    what: 'a label of a version that does not exist',
    done: `INSERT INTO ${LABELS} SELECT id, era, number, 7, since, label FROM ${LABELS} WHERE id = ${FIRST_CLIENT}`,
    found: [[/^labels of clients, row \S+, version 7$/, /^it is not in the log$/]],
  },
]

describe('mint verify for ledgers and labels', () => {
  const whole = temporaryFolder()
  const damaged = temporaryFolder()

  before(() => fillFolder(whole.path, { contracts: CONTRACTS, businesses: 5 }))
  after(() => {
    whole.remove()
    damaged.remove()
  })

  async function differencesAfter(done: Damage['done']) {
    cpSync(whole.path, damaged.path, { recursive: true })
    using database = new DatabaseSync(join(damaged.path, 'contracts.db'))
    if (typeof done === 'string') database.exec(done)
    else done(database)
    database.close()
    const { exitCode, output } = await mint(['verify', '--json'], { DATA_DIR: damaged.path })
    const items = jsonLines(output) as { type: string; part: string; kind: string; where: string; message: string }[]
    return { exitCode, output, differences: items.filter(({ type }) => type === 'difference') }
  }

  it('finds no difference in an intact Mint', async () => {
    const { exitCode, differences } = await differencesAfter('SELECT 1')
    assert.deepEqual([exitCode, differences], [0, []])
  })

  for (const { what, done, found } of damages) {
    it(`finds ${what}, and names it`, async () => {
      const { exitCode, output, differences } = await differencesAfter(done)
      assert.equal(exitCode, 3)
      assert.equal(differences.length, found.length, output)
      for (const [where, message] of found) {
        assert.ok(
          differences.some((one) => where.test(one.where) && message.test(one.message)),
          output,
        )
      }
      const kind = output.includes('labels of') ? 'label' : 'ledger'
      assert.ok(
        differences.every((one) => one.part === 'contracts' && one.kind === kind),
        output,
      )
    })
  }
})
