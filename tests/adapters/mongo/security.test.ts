import assert from 'node:assert/strict'
import { createPrivateKey } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { MongoClient } from 'mongodb'
import { followMongoUrl } from '../../../shared/adapters/mongo/connection/followed-url.ts'
import { openMongoDatabase } from '../../../shared/adapters/mongo/database.ts'
import { readServerFacts } from '../../../shared/adapters/mongo/server-facts.ts'
import { createSigningKeys } from '../../../shared/events/signing-keys.ts'
import { createMetrics } from '../../../shared/runtime/metrics/metrics.ts'
import { thisProcess } from '../../../shared/runtime/this-process.ts'
import { createAuthority } from '../../support/certificates.ts'
import { atEnd } from '../../support/cleanup.ts'
import { collectingLogger } from '../../support/collecting-logger.ts'
import { type EngineCertificates, makeCertificates, writePair } from '../../support/engine-certificates.ts'
import { describeOn, mongodProgram, mongoEngine } from '../../support/engines.ts'
import { type SecuredMongod, startSecuredMongod } from '../../support/secured-mongod.ts'
import { newFolder, temporaryFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'

const PKCS8 = { type: 'pkcs8', format: 'pem' } as const
const MINT = { name: 'mint', password: 's3cret' }
const CLOSED =
  'MongoDB can’t be used: it closed the connection at once; check tls and tlsCertificateKeyFile in MONGO_URL'
const USER = 'MongoDB can’t be used: it refuses the user; check user, password and authSource in MONGO_URL'

const opening = async (url: string, name = 'mint_contracts'): Promise<string> => {
  try {
    const database = await openMongoDatabase({ url, name, views: [], viewsFolder: newFolder() })
    await database.close()
    return 'opened'
  } catch (error) {
    const { name: kind, message } = error as Error
    return `${kind}: ${message}`
  }
}

describeOn(mongodProgram(), 'MongoDB with TLS and users', (program) => {
  const folder = temporaryFolder()
  let mongod: SecuredMongod
  let other: { readonly mongod: SecuredMongod; readonly ca: string }
  let certificates: EngineCertificates
  let strangers: string

  before(async function () {
    this.timeout(90_000)
    certificates = makeCertificates(folder.path)
    const needsCertificate = true
    mongod = await startSecuredMongod(program, folder.path, certificates, { needsCertificate })
    await mongod.setUser(MINT.name, MINT.password, ['mint_contracts'])
    strangers = `${folder.path}/stranger-pair.pem`
    writePair(strangers, createAuthority(folder.path, 'stranger-ca').issue('stranger'))
    mkdirSync(`${folder.path}/other`)
    const elsewhere = makeCertificates(`${folder.path}/other`, 'DNS:elsewhere,IP:127.0.0.1')
    other = { mongod: await startSecuredMongod(program, `${folder.path}/other`, elsewhere), ca: elsewhere.ca }
  })
  after(async () => {
    await Promise.all([mongod?.stop(), other?.mongod.stop()])
    folder.remove()
  })

  it('works for a user with access to no other database', async () => {
    assert.equal(await opening(mongod.url(MINT)), 'opened')
  })

  it('lets no other service’s user read the keys that a service signs with', async () => {
    const other = { name: 'businesses', password: 's3cret' }
    await mongod.setUser(other.name, other.password, ['mint_businesses'])
    const database = await openMongoDatabase({
      url: mongod.url(other),
      name: 'mint_businesses',
      views: [],
      viewsFolder: newFolder(),
    })
    atEnd(() => database.close())
    assert.equal((await createSigningKeys(database).publicKeys()).length, 1)
    const client = atEnd.close(new MongoClient(mongod.url(MINT)))
    const read = client.db('mint_businesses').collection('documents').findOne({})
    await assert.rejects(read, { codeName: 'Unauthorized' })
  })

  it('reports which rights a user lacks on which databases', async () => {
    assert.deepEqual((await readServerFacts(mongod.url(MINT), ['mint_contracts'])).missingRights, [])
    const { missingRights } = await readServerFacts(mongod.url(MINT), ['mint_contracts', 'mint_gateway'])
    const actions = ['find', 'insert', 'update', 'remove', 'createCollection', 'createIndex']
    assert.deepEqual(
      missingRights,
      actions.map((action) => `${action} in mint_gateway`),
    )
  })

  it('shows a user without further rights that user’s own processes', async () => {
    const database = await openMongoDatabase({
      url: mongod.url(MINT),
      name: 'mint_contracts',
      views: [],
      viewsFolder: newFolder(),
    })
    for (let times = 0; times < 2; times++) assert.deepEqual(await database.processes(), [thisProcess])
    await database.close()
  })

  const refusals: Record<string, () => [url: string, reason: string]> = {
    'a wrong password': () => [mongod.url({ ...MINT, password: 'wr0ng' }), USER],
    'an unknown user': () => [mongod.url({ name: 'nobody', password: 'wr0ng' }), USER],
    'the wrong CA': () => [
      mongod.url(MINT, { tlsCAFile: other.ca }),
      'MongoDB can’t be used: its certificate is not signed by the CA in tlsCAFile in MONGO_URL',
    ],
    'a certificate for another host name': () => [
      `mongodb://mint:wr0ng@localhost:${other.mongod.port}/?directConnection=true&tls=true&tlsCAFile=${other.ca}`,
      'MongoDB can’t be used: its certificate does not match the host in MONGO_URL',
    ],
    'no client certificate': () => [mongod.url(MINT).replace(/&tlsCertificateKeyFile=[^&]+/, ''), CLOSED],
    'a client certificate of an unknown CA': () => [mongod.url(MINT, { tlsCertificateKeyFile: strangers }), CLOSED],
    'no TLS where it is required': () => [mongod.url(MINT).replace(/&tls.*/, ''), CLOSED],
  }
  // Concurrently, as the driver takes two seconds to give up.
  it(`is unavailable, with a one-line reason that names the setting, given ${Object.keys(refusals).join(', ')}`, async () => {
    const checked = Object.entries(refusals).map(async ([name, refusal]) => {
      const [url, reason] = refusal()
      assert.equal(await opening(url), `StoreUnavailable: ${reason}`, name)
    })
    await Promise.all(checked)
  })

  it('stays in use, with one log line, while the file holds a connection string that it refuses', async () => {
    const { logger, lines } = collectingLogger()
    const mongoUrlFile = `${folder.path}/mongo-url`
    const write = (password: string) => writeFileSync(mongoUrlFile, mongod.url({ ...MINT, password }))
    const config = { mongoUrl: mongod.url(MINT), mongoUrlFile }
    write(MINT.password)
    const metrics = createMetrics(logger)
    const url = await followMongoUrl(config, { logger, metrics, atEnd, pollMilliseconds: 20 })
    const database = await openMongoDatabase({ url, name: 'mint_contracts', views: [], viewsFolder: newFolder() })
    try {
      write('wr0ng')
      await waitFor(() => lines.length > 0, { what: 'a line' })
      assert.match(String(lines[0]?.msg), /the previous ones stay in use: MongoDB can’t be used: it refuses the user/)
      await mongod.setUser(MINT.name, 'changed')
      await database.checkWritable()
      write('changed')
      await waitFor(() => lines.length > 2, { what: 'the new password to be in use' })
      await database.checkWritable()
      assert.deepEqual(
        lines.map(({ msg }) => String(msg).split(',')[0]),
        [
          'changed files can’t be used',
          'connected with the changed MONGO_URL or certificates',
          'changed files are in use',
        ],
      )
      assert.ok(!JSON.stringify(lines).includes('wr0ng'))
    } finally {
      await database.close()
      await mongod.setUser(MINT.name, MINT.password)
    }
  })

  it('works with a key under a new passphrase, given in the new connection string', async () => {
    const { logger, lines } = collectingLogger()
    const [mongoUrlFile, pair] = [`${folder.path}/passphrase-url`, `${folder.path}/encrypted-pair.pem`]
    function write(passphrase: string): string {
      const { cert, key } = certificates.clientFiles
      const encrypted = createPrivateKey(readFileSync(key)).export({ ...PKCS8, cipher: 'aes-256-cbc', passphrase })
      writeFileSync(pair, encrypted + readFileSync(cert, 'utf8'))
      const url = mongod.url(MINT, { tlsCertificateKeyFile: pair, tlsCertificateKeyFilePassword: passphrase })
      writeFileSync(mongoUrlFile, url)
      return url
    }
    const config = { mongoUrl: write('one'), mongoUrlFile }
    const url = await followMongoUrl(config, { logger, metrics: createMetrics(logger), atEnd, pollMilliseconds: 20 })
    const changed = write('two')
    await waitFor(() => lines.some(({ msg }) => msg === 'changed files are in use'), { what: 'the new passphrase' })
    assert.equal(url.current(), changed)
  })

  it('is unavailable, with a one-line reason that reveals nothing of the write, if the user lacks rights', async () => {
    const reason = 'the user in MONGO_URL lacks rights; give it readWrite on its database'
    assert.equal(await opening(mongod.url(MINT), 'others'), `StoreUnavailable: MongoDB can’t be used: ${reason}`)
  })
})

describeOn(mongoEngine(), 'MongoDB without TLS', (url) => {
  it('is unavailable, with a one-line reason that names the setting, if TLS is requested', async () => {
    const reason = 'it does not speak TLS, which tls in MONGO_URL requires'
    const secured = `${url}${url.includes('?') ? '&' : '/?'}tls=true`
    assert.equal(await opening(secured), `StoreUnavailable: MongoDB can’t be used: ${reason}`)
  })
})
