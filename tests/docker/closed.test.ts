import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { join } from 'node:path'
import { type ComposedMint, composedMint, docker } from '../support/compose.ts'
import { takeTour } from '../support/readme.ts'
import { aNewContract, restClient } from '../support/rest.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** The networks of each part; `public` leads outside. */
const NETWORKS = {
  gateway: ['mongo', 'public', 'services'],
  contracts: ['kafka', 'mongo', 'services'],
  businesses: ['kafka', 'mongo', 'services'],
  mongo: ['mongo'],
  kafka: ['kafka'],
} as const
type Part = keyof typeof NETWORKS
const PARTS = Object.keys(NETWORKS) as Part[]

const MONGO_WITHOUT_USER = "'mongodb://mongo:27017/?replicaSet=rs0'"
const OWN_MONGO_URL = "require('fs').readFileSync('/secrets/mongo-url', 'utf8').trim()"
const MAKE_CERTIFICATES = 'docs/examples/make-certificates'
const OVERLAY = 'docs/examples/docker-compose.tls.yml'

describe('docker compose, closed by default', function () {
  this.timeout(120_000)
  let mint: ComposedMint

  before(async function () {
    this.timeout(400_000)
    mint = await composedMint({ gateways: 1, settings: { MINT_API_KEY: '', DRAIN_SECONDS: '1' } })
    await mint.build()
    await upWithLateMongod()
  })
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await mint.printErrors()
  })
  after(() => mint.remove())

  /** Delays mongod, as on a slow machine. */
  async function upWithLateMongod(): Promise<void> {
    const folder = temporaryFolder()
    try {
      const file = join(folder.path, 'late.yml')
      const entrypoint = ['bash', '-c', 'sleep 8; install -m 400 /secrets/key /tmp/key && exec "$$@"', 'mongo']
      writeFileSync(file, JSON.stringify({ services: { mongo: { entrypoint } } }))
      await mint.upWith(file)
    } finally {
      folder.remove()
    }
  }

  it('serves the README tour like the embedded default', async () => {
    const [url = ''] = await mint.gateways()
    await takeTour({ url, key: await madeKey() })
  })

  it('creates an API key at the first start', async () => {
    const [url = ''] = await mint.gateways()
    const key = await madeKey()
    assert.match(key, /^mint_[0-9a-f]{48}$/)
    const made = await restClient({ url, key })('POST', '/contracts', aNewContract())
    assert.equal(made.status, 201)
  })

  it('has Docker restart crashed containers', async () => {
    const policies = await Promise.all(PARTS.map((part) => inspected(part, '{{.HostConfig.RestartPolicy.Name}}')))
    assert.deepEqual([...new Set(policies)], ['unless-stopped'])
  })

  it('exposes only the gateway, and only to this machine', async () => {
    const published = await Promise.all(PARTS.map((part) => inspected(part, '{{json .NetworkSettings.Ports}}')))
    const hosts = published.map((ports) => Object.values(JSON.parse(ports)).flatMap((bound) => bound ?? []))
    const addresses = hosts.map((bound) => (bound as { HostIp: string }[]).map(({ HostIp }) => HostIp))
    assert.deepEqual(Object.fromEntries(PARTS.map((part, index) => [part, addresses[index]])), {
      gateway: ['127.0.0.1'],
      contracts: [],
      businesses: [],
      mongo: [],
      kafka: [],
    })
  })

  it('connects each part only to the networks it needs, and only the gateway to one that leads outside', async () => {
    const found = await Promise.all(PARTS.map((part) => inspected(part, '{{json .NetworkSettings.Networks}}')))
    const names = found.map((networks) => Object.keys(JSON.parse(networks)).map(withoutProject).sort())
    assert.deepEqual(Object.fromEntries(PARTS.map((part, index) => [part, names[index]])), NETWORKS)
    const [contracts = ''] = await mint.containers('contracts')
    const all = Object.keys(JSON.parse(await mint.inspect(contracts, '{{json .NetworkSettings.Networks}}')))
    const internal = await docker(['network', 'inspect', '-f', '{{.Internal}}', ...all])
    assert.deepEqual(
      internal.trim().split('\n'),
      all.map(() => 'true'),
    )
  })

  it('runs all containers under numeric user ids, read-only except for volumes, with rotated logs and no secrets in settings', async () => {
    const format =
      '{{.Config.User}} {{.HostConfig.ReadonlyRootfs}} {{gt .HostConfig.Memory 0}} {{.HostConfig.LogConfig.Type}} {{index .HostConfig.LogConfig.Config "max-size"}}'
    const containers = await mint.containers()
    for (const container of containers)
      assert.match(await mint.inspect(container, format), /^\d+:\d+ true true json-file 10m$/)
    const key = await madeKey()
    const settings = await Promise.all(containers.map((container) => mint.inspect(container, '{{json .Config.Env}}')))
    assert.deepEqual(
      settings.filter((one) => one.includes(key) || /:\/\/[^/"]*:[^/"]*@/.test(one)),
      [],
    )
  })

  it('runs engines that require a password', async () => {
    assert.equal(await readIn('contracts', MONGO_WITHOUT_USER, 'mint_contracts'), 'Unauthorized')
    assert.match(await askKafka('contracts'), /^KafkaJS/)
  })

  it('gives each part access to its own data only, and the gateway no access to Kafka', async () => {
    assert.equal(await readIn('gateway', OWN_MONGO_URL, 'mint_gateway'), 'done')
    assert.equal(await readIn('gateway', OWN_MONGO_URL, 'mint_contracts'), 'Unauthorized')
    assert.equal(await readIn('gateway', OWN_MONGO_URL, 'admin'), 'Unauthorized')
    assert.equal(await readIn('contracts', OWN_MONGO_URL, 'mint_contracts'), 'done')
    assert.equal(await readIn('contracts', OWN_MONGO_URL, 'mint_businesses'), 'Unauthorized')
    assert.equal(await readIn('contracts', OWN_MONGO_URL, 'mint_gateway'), 'done')
    assert.equal(await addTo('contracts', OWN_MONGO_URL, 'mint_gateway'), 'Unauthorized')
    assert.match(await evaluated('gateway', RESOLVE_KAFKA), /^(ENOTFOUND|EAI_AGAIN)$/)
  })

  it('has cli/upgrade-compose replace only containers whose settings changed, and keep every record', async () => {
    const [containers, records] = [await mint.containers(), await allContracts()]
    const [gateway = ''] = await mint.containers('gateway')
    await mint.upgrade({ MAX_CONNECTIONS: '512' })
    const [replacing = ''] = await mint.containers('gateway')
    const expected = containers.map((container) => (container === gateway ? replacing : container))
    assert.notEqual(replacing, gateway)
    assert.deepEqual((await mint.containers()).sort(), expected.sort())
    assert.deepEqual(await allContracts(), records)
  })

  it('still passes `mint verify` in a container, which changes no other, nor the configured key', async () => {
    const [containers, key] = [await mint.containers(), await madeKey()]
    const settings = { ...mint.settings, MINT_API_KEY: `mint_${'c'.repeat(32)}`, MONGO_TAG: 'next', KAFKA_TAG: 'next' }
    const output = await docker(['compose', 'run', '--rm', '-T', 'mint', 'verify'], settings)
    assert.match(output, /^\d+ events of \d+ records checked: all is well\.$/m)
    assert.deepEqual(await mint.containers(), containers)
    assert.equal(await madeKey(), key)
  })

  it(`keeps its key and records when ${OVERLAY} adds TLS between all parts`, async () => {
    const key = await madeKey()
    const certificates = temporaryFolder()
    try {
      execFileSync(MAKE_CERTIFICATES, [certificates.path], { stdio: 'pipe' })
      try {
        await mint.upWith(OVERLAY, { MINT_CERTIFICATES: certificates.path })
      } catch (error) {
        // Compose reports only that a service failed, not why.
        throw new Error(await mint.logs('mongo-setup', 'kafka-setup'), { cause: error })
      }
      const [url = ''] = await mint.gateways()
      assert.equal(await madeKey(), key)
      const headers = { authorization: `Bearer ${key}` }
      const ca = readFileSync(`${certificates.path}/ca.pem`)
      const [answer] = await once(get(`${url.replace('http:', 'https:')}/contracts/1`, { headers, ca }), 'response')
      assert.equal(answer.resume().statusCode, 200)
    } finally {
      certificates.remove()
    }
  }).timeout(300_000)

  async function allContracts() {
    const [url = ''] = await mint.gateways()
    const { status, body } = await restClient({ url, key: await madeKey() })('GET', '/contracts')
    assert.equal(status, 200)
    assert.ok(body.total > 0)
    return body
  }

  const madeKey = async (): Promise<string> => (await ran('gateway', ['cat', '/secrets/api-key'])).trim()

  async function inspected(part: Part, format: string): Promise<string> {
    const [container = ''] = await mint.containers(part)
    return await mint.inspect(container, format)
  }

  async function ran(part: Part, command: readonly string[]): Promise<string> {
    const [container = ''] = await mint.containers(part)
    return await docker(['exec', container, ...command])
  }

  const evaluated = async (part: Part, script: string): Promise<string> =>
    (await ran(part, ['node', '-e', script])).trim()

  /** Runs an operation on a database's log in a part's container; returns `done` or the error's name. */
  const inLog = (part: Part, url: string, database: string, what: string): Promise<string> =>
    evaluated(
      part,
      `const { MongoClient } = require('mongodb')
      const client = new MongoClient(${url}, { serverSelectionTimeoutMS: 10_000 })
      client.db('${database}').collection('log').${what}
        .then(() => 'done', (error) => error.codeName ?? error.name)
        .then((outcome) => { console.log(outcome); return client.close() })`,
    )
  const readIn = (part: Part, url: string, database: string) => inLog(part, url, database, 'findOne()')
  const addTo = (part: Part, url: string, database: string) => inLog(part, url, database, 'insertOne({})')

  /** Lists Kafka's topics without a password; returns `answered` or the error's name. */
  const askKafka = (part: Part): Promise<string> =>
    evaluated(
      part,
      `const { Kafka, logLevel } = require('kafkajs')
      const admin = new Kafka({ brokers: ['kafka:9092'], retry: { retries: 0 }, logLevel: logLevel.NOTHING }).admin()
      admin.connect().then(() => admin.listTopics())
        .then(() => 'answered', (error) => error.name)
        .then((outcome) => { console.log(outcome); process.exit() })`,
    )

  const withoutProject = (network: string): string => network.slice(network.lastIndexOf('_') + 1)
})

const RESOLVE_KAFKA =
  "require('dns').promises.lookup('kafka').then(() => 'found', (error) => error.code).then(console.log)"
