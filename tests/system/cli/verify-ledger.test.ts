import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { contractsView } from '../../../services/contracts/contract/view.ts'
import {
  BLOCK_SIZE,
  type LedgerShape,
  ledgerTables,
} from '../../../shared/adapters/sqlite/any-thread/ledger/ledger-tables.ts'
import { shapeOf } from '../../../shared/adapters/sqlite/any-thread/view-shape.ts'
import { jsonLines, mint } from '../../support/command-line.ts'
import { fillFolder } from '../../support/filled-folder.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** With an edit of every third, more than a block of entries. */
const CONTRACTS = 1_600

const { entries, blocks, columns, codes, columnNames } = ledgerTables(
  'view_contracts_1',
  shapeOf(contractsView).versions as LedgerShape,
)
const keyOf = (column: string): number => columnNames.indexOf(column)
const LAST = `(SELECT max(number) FROM ${entries})`

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
/** Changes a number of the first entry of the first block. */
const inBlock =
  (column: string, change: (number: number) => number) =>
  (database: DatabaseSync): void => {
    const key = keyOf(column)
    const { numbers } = database.prepare(`SELECT numbers FROM ${columns} WHERE key = ?`).get(key) as {
      numbers: Uint8Array
    }
    const isWide = numbers.length === BLOCK_SIZE * 8
    const array = isWide ? new Float64Array(numbers.buffer) : new Uint32Array(numbers.buffer)
    array[0] = change(array[0] as number)
    database.prepare(`UPDATE ${columns} SET numbers = ? WHERE key = ?`).run(new Uint8Array(array.buffer), key)
  }

const damages: readonly Damage[] = [
  {
    what: 'an entry with the wrong amount',
    done: `UPDATE ${entries} SET serviceFee_0 = serviceFee_0 + 1 WHERE number = ${LAST}`,
    found: [[AN_ENTRY, /^serviceFee is (25|19\.99)\.?0*1, but (25|19\.99) in the log$/]],
  },
  {
    what: 'an entry for the wrong client',
    done: `INSERT INTO ${codes} (text) VALUES ('somebody else');
      UPDATE ${entries} SET clientId = (SELECT max(code) FROM ${codes}) WHERE number = ${LAST}`,
    found: [[AN_ENTRY, /^clientId is somebody else, but [0-9a-f-]{36} in the log$/]],
  },
  {
    what: 'an entry with the wrong type',
    done: `UPDATE ${entries} SET serviceType = clientId WHERE number = ${LAST}`,
    found: [[AN_ENTRY, /^serviceType is [0-9a-f-]{36}, but bookkeeping in the log$/]],
  },
  {
    what: 'an entry with the wrong date',
    done: `UPDATE ${entries} SET date = 20240229 WHERE number = ${LAST}`,
    found: [[AN_ENTRY, /^date is 2024-02-29, but \d{4}-\d\d-\d\d in the log$/]],
  },
  {
    what: 'an entry with the wrong time',
    done: `UPDATE ${entries} SET at = at - 1 WHERE number = ${LAST}`,
    found: [[AN_ENTRY, /^at is \d{4}-\S+Z, but \d{4}-\S+Z in the log$/]],
  },
  {
    what: 'a missing entry',
    done: `DELETE FROM ${entries} WHERE number = ${LAST}`,
    found: [[AN_ENTRY, /^it is missing$/]],
  },
  {
    what: 'a duplicate entry',
    done: `CREATE TEMP TABLE twice AS SELECT * FROM ${entries} WHERE number = ${LAST};
      UPDATE twice SET number = number + 1;
      INSERT INTO ${entries} SELECT * FROM twice`,
    found: [[AN_ENTRY, /^it is there more than once$/]],
  },
  {
    what: 'an entry of a contract that is not in the log',
    done: `CREATE TEMP TABLE stray AS SELECT * FROM ${entries} WHERE number = ${LAST};
      UPDATE stray SET number = number + 1, id = 5000, version = 1;
      INSERT INTO ${entries} SELECT * FROM stray`,
    found: [[/^ledger of contracts, row 5000, version 1$/, /^it is not in the log$/]],
  },
  {
    what: 'an entry with an unknown code',
    done: `UPDATE ${entries} SET serviceType = 999 WHERE number = ${LAST}`,
    found: [[AN_ENTRY, /^serviceType is \(no text has the code 999\), but bookkeeping in the log$/]],
  },
  {
    what: 'an entry in a block with the wrong amount',
    done: inBlock('totalFeeWithTax_1', (number) => number + 1),
    found: [[AN_ENTRY, /^totalFeeWithTax is 21\.649175, but 21\.639175 in the log$/]],
  },
  {
    what: 'an entry in a block for the wrong contract',
    done: inBlock('id', () => 5_000),
    found: [
      [AN_ENTRY, /^it is missing$/],
      [/^ledger of contracts, row 5000, version 1$/, /^it is not in the log$/],
    ],
  },
  {
    what: 'a block that reports would skip',
    done: `UPDATE ${blocks} SET lowest = highest + 1`,
    found: [[/^ledger of contracts$/, /^block 0 is filed under the times \d+ to \d+, but has \d+ to \d+$/]],
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

  it('finds no difference in an intact Mint with a full block', async () => {
    const countBlocks = (database: DatabaseSync) =>
      assert.equal(database.prepare(`SELECT count(*) AS n FROM ${blocks}`).get()?.n, 1)
    assert.deepEqual(await differencesAfter(countBlocks).then(({ exitCode, differences }) => [exitCode, differences]), [
      0,
      [],
    ])
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

  it('finds a block with a missing column, and names a thousand of its entries', async () => {
    const { differences, output } = await differencesAfter(`DELETE FROM ${columns} WHERE key = ${keyOf('date')}`)
    assert.match(output, /"where":"ledger of contracts","message":"block 0 can't be read: block 0 has no column date"/)
    assert.equal(differences.length, 1 + 1_000 + 1)
    assert.equal(differences.at(-1)?.message, `${BLOCK_SIZE - 1_000} more versions are wrong: rebuild the view`)
  })
})
