import assert from 'node:assert/strict'
import { execFile, execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual, promisify } from 'node:util'
import { MongoClient } from 'mongodb'
import type { Finding } from '../../../cli/doctor/finding.ts'
import { bareEnvironment } from '../../support/bare-environment.ts'
import { createAuthority } from '../../support/certificates.ts'
import { atEnd } from '../../support/cleanup.ts'
import { jsonLines, mint } from '../../support/command-line.ts'
import { bothEngines, describeOn, mongodProgram } from '../../support/engines.ts'
import { fillFolder } from '../../support/filled-folder.ts'
import { freePort } from '../../support/free-port.ts'
import { ended, withClient } from '../../support/mongod.ts'
import { newSeparateMint } from '../../support/separate-processes.ts'
import { describeWithSmallDisks, smallDisk } from '../../support/small-disk.ts'
import { newFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'

type Environment = Readonly<Record<string, string>>

/** The problems found, as `check state: what → remedy`; the exit code must match. */
async function complaints(environment: Environment): Promise<readonly string[]> {
  const { exitCode, output } = await mint(['doctor', '--json'], environment)
  const findings = jsonLines(output) as Finding[]
  assert.equal(exitCode, findings.some(({ state }) => state === 'problem') ? 3 : 0)
  return findings
    .filter(({ state }) => state !== 'ok')
    .map(({ check, state, what, remedy }) => `${check} ${state}: ${what} → ${remedy}`)
}

describe('cli/mint doctor', () => {
  async function filled(): Promise<string> {
    const folder = join(newFolder(), 'data')
    await fillFolder(folder, { contracts: 1, businesses: 1 })
    chmodSync(folder, 0o700)
    return folder
  }

  it('finds no problem if there is none, and lists what it checked', async () => {
    const folder = await filled()
    const { exitCode, output, errors } = await mint(['doctor'], { DATA_DIR: folder })
    assert.deepEqual([exitCode, errors], [0, ''])
    const checks = output
      .trim()
      .split('\n')
      .map((line) => line.split(':')[0])
    assert.deepEqual(
      checks,
      ['disk', 'rights', 'clock', 'files'].map((check) => `ok       ${check}`),
    )
  })

  it('checks what it can before the first start', async () => {
    const folder = newFolder()
    assert.deepEqual(await complaints({ DATA_DIR: join(folder, 'new', 'data') }), [])
    assert.deepEqual(readdirSync(folder), [])
    const { output } = await mint(['doctor'], { DATA_DIR: join(folder, 'new', 'data') })
    assert.match(output, /^ok {7}disk: \d+ MB free at DATA_DIR=\S+, which holds 0 MB$/m)
    assert.match(output, /^ok {7}rights: DATA_DIR=\S+ doesn’t exist: starting Mint creates it, empty$/m)
  })

  it('finds before the first start that a folder can’t be created', async () => {
    const file = join(newFolder(), 'file')
    writeFileSync(file, '')
    const [complaint = ''] = await complaints({ DATA_DIR: join(file, 'data') })
    assert.ok(complaint.startsWith(`rights problem: DATA_DIR=${file}/data can’t be created: ENOTDIR`), complaint)
    assert.ok(complaint.endsWith(`set DATA_DIR to another path, or allow this user to write to ${file}`), complaint)
  })

  it('finds before the first start that a folder is a link to a disk that is not mounted', async () => {
    const link = join(newFolder(), 'link')
    symlinkSync('/mnt/missing', link)
    for (const folder of [link, join(link, 'data')]) {
      const [complaint = '', ...more] = await complaints({ DATA_DIR: folder })
      assert.ok(complaint.startsWith(`rights problem: DATA_DIR=${folder} can’t be created: ENOENT`), complaint)
      assert.deepEqual(more, [])
    }
  })

  it('finds a folder that every user may write to, and one with other contents', async () => {
    const folder = await filled()
    chmodSync(folder, 0o777)
    assert.deepEqual(await complaints({ DATA_DIR: folder }), [
      `rights warning: DATA_DIR=${folder} is writable by every user → chmod 700 ${folder}`,
    ])
    const other = newFolder()
    mkdirSync(join(other, 'contracts.db'))
    const [found = ''] = await complaints({ DATA_DIR: other })
    assert.match(
      found,
      /^rights problem: DATA_DIR=\S+: it has a folder contracts\.db where Mint stores a file → move it away/,
    )
  })

  it('finds a file that it can’t examine', async () => {
    const folder = newFolder()
    // Also for root, who may examine every other file.
    symlinkSync('gateway.db', join(folder, 'gateway.db'))
    const [found = '', ...more] = await complaints({ DATA_DIR: folder })
    assert.match(found, /^rights problem: DATA_DIR=\S+: ELOOP/)
    assert.deepEqual(more, [])
  })

  it('finds a clock that was set back', async () => {
    const folder = await filled()
    const tomorrow = new Date(Date.now() + 86_400_000)
    utimesSync(join(folder, 'contracts.db'), tomorrow, tomorrow)
    const [found = '', ...more] = await complaints({ DATA_DIR: folder })
    assert.match(found, /^clock problem: 86(399|400) s behind the last write: .* → synchronise the clock/)
    assert.deepEqual(more, [])
  })

  it('finds a clock that was ahead, even if the files were written to since, and changes nothing', async () => {
    const folder = await filled()
    const database = new DatabaseSync(join(folder, 'contracts.db'))
    database.prepare('UPDATE events SET at = ?').run(Date.now() + 86_400_000)
    database.close()
    const before = readdirSync(folder)
    const [found = '', ...more] = await complaints({ DATA_DIR: folder })
    assert.match(found, /^clock problem: 86\d{3} s behind the last write: .* send a serviceDate with each contract/)
    assert.deepEqual([more, readdirSync(folder)], [[], before])
  })

  it('finds a limit of open files below what MAX_CONNECTIONS needs', async () => {
    const env = { ...bareEnvironment(), DATA_DIR: await filled(), MAX_CONNECTIONS: '500' }
    const run = promisify(execFile)
    const { stdout } = await run('sh', ['-c', 'ulimit -n 1000 && exec cli/mint doctor'], { env })
    const expected = 'warning  files: 1000 open files allowed here, 1756 needed for MAX_CONNECTIONS=500. To do: raise '
    assert.ok(stdout.includes(expected), stdout)
  })

  it('finds certificates that expire soon or can’t be used', async () => {
    const folder = newFolder()
    const ca = createAuthority(folder)
    const [soon, good, other] = [ca.issue('soon', { days: 5 }), ca.issue('good'), ca.issue('other')]
    const rest = { DATA_DIR: folder, TLS_CERT_FILE: soon.cert, TLS_KEY_FILE: soon.key }
    const grpc = { GRPC_TLS_CERT_FILE: good.cert, GRPC_TLS_KEY_FILE: good.key }
    const [found = '', ...more] = await complaints({ ...rest, ...grpc })
    assert.match(found, /^certificate of REST warning: TLS_CERT_FILE=\S+soon\.pem, .* expires in [45] days → renew it/)
    assert.deepEqual(more, [])
    const [wrong = ''] = await complaints({ ...rest, TLS_CERT_FILE: good.cert, TLS_KEY_FILE: other.key })
    assert.match(wrong, /^certificate of REST problem: TLS_KEY_FILE=\S+ is not the key of TLS_CERT_FILE/)
    const [missing = ''] = await complaints({ ...rest, TLS_KEY_FILE: `${folder}/missing` })
    assert.match(missing, /^certificate of REST problem: TLS_KEY_FILE=\S+missing can’t be read \(ENOENT/)
    execFileSync('mkfifo', [`${folder}/pipe`])
    const [pipe = ''] = await complaints({ ...rest, TLS_KEY_FILE: `${folder}/pipe` })
    assert.match(pipe, /^certificate of REST problem: TLS_KEY_FILE=\S+pipe can’t be read \(it is not a regular file\)/)
  })

  it('finds an engine that is down', async () => {
    const found = await complaints({ MONGO_URL: 'mongodb://127.0.0.1:1/' })
    assert.deepEqual(found, [
      'MongoDB problem: MongoDB is unavailable → start it, or correct MONGO_URL',
      'Kafka warning: not checked, because KAFKA_BROKERS is not set → set it as for the services',
    ])
  })
})

describeWithSmallDisks('cli/mint doctor on a small disk', () => {
  it('finds a disk that is nearly full', async () => {
    const disk = smallDisk(8)
    try {
      // Also before the first start.
      for (const folder of [disk.path, join(disk.path, 'new', 'data')]) {
        const [found = ''] = await complaints({ DATA_DIR: folder })
        assert.match(found, /^disk problem: \d MB free at DATA_DIR=\S+, which holds 0 MB → make room/)
      }
    } finally {
      disk.remove()
    }
  })
})

describeOn(bothEngines(), 'cli/mint doctor, MongoDB and Kafka', (mongoUrl) => {
  it('finds which topic is missing before a service’s first start, and nothing after it', async () => {
    const separate = await newSeparateMint(mongoUrl)
    const environment = { ...separate.settings, VIEWS_DIR: join(newFolder(), 'views') }
    const missing = (kind: string) =>
      `Kafka problem: no answer about the topic ${separate.namespace}.mint.${kind}.v1, or it doesn’t exist yet → start Kafka, and the services, which create it; or correct the settings that begin with KAFKA_`
    assert.deepEqual(await complaints(environment), [missing('businesses'), missing('contracts')])
    // A service is ready before it has published anything.
    const untilComplaintsAre = (expected: readonly string[]) =>
      waitFor(async () => isDeepStrictEqual(await complaints(environment), expected), {
        what: `the complaints “${expected}”`,
      })
    await separate.start('businesses').ready()
    await untilComplaintsAre([missing('contracts')])
    await separate.start('contracts').ready()
    await untilComplaintsAre([])
  })
})

describeOn(mongodProgram(), 'cli/mint doctor, a MongoDB that isn’t set up for Mint', (program) => {
  it('finds that it runs standalone, which rights the user lacks, and a replica set that isn’t initiated', async () => {
    const [folder, port] = [newFolder(), await freePort()]
    const views = join(newFolder(), 'views')
    const start = (...more: readonly string[]) => {
      const where = ['--dbpath', folder, '--port', `${port}`, '--bind_ip', '127.0.0.1', '--nounixsocket']
      const running = spawn(program, [...where, '--wiredTigerCacheSizeGB', '0.25', ...more], { stdio: 'ignore' })
      atEnd(() => ended(running))
      return running
    }
    const onMongo = async (user = '') => {
      const found = await complaints({ MONGO_URL: `mongodb://${user}127.0.0.1:${port}/`, VIEWS_DIR: views })
      return found.filter((complaint) => !complaint.startsWith('Kafka '))
    }

    const standalone = start()
    const options = { directConnection: true, serverSelectionTimeoutMS: 30_000 }
    await withClient(new MongoClient(`mongodb://127.0.0.1:${port}/`, options), async (client) => {
      const roles = ['mint_businesses', 'mint_contracts'].map((db) => ({ role: 'readWrite', db }))
      const reading = { role: 'read', db: 'mint_gateway' }
      await client.db('admin').command({ createUser: 'mint', pwd: 'mint', roles: [...roles, reading] })
    })
    const isStandalone =
      'replica set problem: MongoDB runs standalone; Mint needs a replica set, if only of one member → start mongod with --replSet, and initiate the set'
    assert.deepEqual(await onMongo(), [isStandalone])
    const lacking = ['insert', 'update', 'remove', 'createCollection', 'createIndex']
    assert.deepEqual(await onMongo('mint:mint@'), [
      isStandalone,
      `rights problem: the user in MONGO_URL may not: ${lacking.map((right) => `${right} in mint_gateway`).join(', ')} → give it the role readWrite on them: docs/operations.md, Secured engines`,
    ])

    await ended(standalone)
    start('--replSet', 'rs0')
    const uninitiated =
      'MongoDB problem: MongoDB can’t be used: its replica set is not initiated; run rs.initiate() on the host in MONGO_URL → start it, or correct MONGO_URL'
    await waitFor(async () => isDeepStrictEqual(await onMongo(), [uninitiated]), {
      what: 'the complaint',
      timeout: 30_000,
    })
  })
})
