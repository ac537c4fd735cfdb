import { readFileSync } from 'node:fs'
import { makeCertificates } from './engine-certificates.ts'
import type { Secured } from './engines.ts'
import { MINT, startSecuredKafka } from './secured-kafka.ts'
import { startSecuredMongod } from './secured-mongod.ts'
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.ts'

/** More than the tests of two workers use at the same time. */
const DATABASES = Array.from({ length: 80 }, (_, index) => `mint_granted_${index}`)

let folder: TemporaryFolder | undefined
const started: { stop(): Promise<void> }[] = []

// Mocha loads this file before any suite (`--require`), instead of engine-containers.ts: the engines then require TLS
// and a user, and check that user's rights. Mocha's workers inherit the environment.
if (process.env.MOCHA_WORKER_ID === undefined) {
  await start().catch(async (error) => {
    await mochaGlobalTeardown()
    throw error
  })
}

/** Mocha calls it once, after the last suite. */
export async function mochaGlobalTeardown(): Promise<void> {
  await Promise.all(started.map((engine) => engine.stop()))
  folder?.remove()
}

async function start(): Promise<void> {
  const { MONGOD_PATH, KAFKA_LIBS } = process.env
  if (!MONGOD_PATH || !KAFKA_LIBS)
    throw new Error('set MONGOD_PATH to mongod, and KAFKA_LIBS to the folder of Kafka’s jars')
  folder = temporaryFolder()
  const certificates = makeCertificates(folder.path)
  const [mongo, kafka] = await Promise.all([
    startSecuredMongod(MONGOD_PATH, folder.path, certificates).then(remembered),
    startSecuredKafka(KAFKA_LIBS, folder.path, certificates, ['test.']).then(remembered),
  ])
  await mongo.setUser('mint', 'mint-of-tests', DATABASES)
  process.env.MONGO_URL = mongo.url({ name: 'mint', password: 'mint-of-tests' })
  process.env.KAFKA_BROKERS = kafka.sasl
  process.env.MINT_TEST_SECURED = JSON.stringify({
    mongoAdminUrl: mongo.adminUrl,
    databases: DATABASES,
    kafka: {
      tls: { ca: readFileSync(certificates.ca, 'utf8') },
      sasl: { mechanism: 'SCRAM-SHA-512', ...MINT },
    },
    kafkaAdmin: kafka.admin,
  } satisfies Secured)
}

function remembered<Engine extends { stop(): Promise<void> }>(engine: Engine): Engine {
  started.push(engine)
  return engine
}
