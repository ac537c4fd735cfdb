import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { StartedTestContainer } from 'testcontainers'

const started: StartedTestContainer[] = []

// Mocha loads this file before any suite (`--require`): first for the whole run, then in its workers. These inherit the
// environment and must start nothing, as nothing would stop it.
if (process.env.MOCHA_WORKER_ID === undefined) {
  await Promise.all([startUnlessGiven('MONGO_URL', startMongo), startUnlessGiven('KAFKA_BROKERS', startKafka)])
}

/** Mocha calls it once, after the last suite. */
export async function mochaGlobalTeardown(): Promise<void> {
  await Promise.all(started.map((container) => container.stop()))
}

/**
 * A container's address is then in the environment as if it had been set there. With MINT_TEST_CONTAINERS=no, suites
 * that need one are skipped.
 */
async function startUnlessGiven(variable: string, start: () => Promise<string>): Promise<void> {
  if (process.env[variable] || process.env.MINT_TEST_CONTAINERS === 'no' || !maybeDocker()) return
  try {
    process.env[variable] = await start()
  } catch (error) {
    console.log(`no container for ${variable}: ${error instanceof Error ? error.message : error}`)
  }
}

/** A MongoDB replica set; `MONGO_TAG` is the image's tag. */
async function startMongo(): Promise<string> {
  const { MongoDBContainer } = await import('@testcontainers/mongodb')
  const container = await new MongoDBContainer(`mongo:${process.env.MONGO_TAG || '8.0'}`).start()
  started.push(container)
  return `${container.getConnectionString()}/?directConnection=true`
}

/** A Kafka broker. */
async function startKafka(): Promise<string> {
  const [{ KafkaContainer }, { Wait }] = await Promise.all([import('@testcontainers/kafka'), import('testcontainers')])
  const container = await new KafkaContainer('confluentinc/cp-kafka:8.1.0')
    .withKraft()
    // Without this it counts as started before the broker accepts connections.
    .withWaitStrategy(Wait.forLogMessage(/Kafka Server started/))
    .start()
  started.push(container)
  return `${container.getHost()}:${container.getMappedPort(9093)}`
}

/** Avoids loading testcontainers in runs without Docker. */
function maybeDocker(): boolean {
  const sockets = ['/var/run/docker.sock', join(process.env.HOME ?? '', '.docker/run/docker.sock')]
  return (
    process.env.DOCKER_HOST !== undefined || process.platform === 'win32' || sockets.some((path) => existsSync(path))
  )
}
