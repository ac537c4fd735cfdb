import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { StartedTestContainer } from 'testcontainers'

/** What the driver connects to, or why there is no container. */
export type ContainerAddress = { readonly url: string } | { readonly missing: string }

/**
 * Starts a MongoDB replica set in a container of its own, where a Docker engine answers; `MONGO_TAG` is the image's tag.
 * The container ends with mocha's run.
 */
export function startMongoContainer(): Promise<ContainerAddress> {
  return start(async () => {
    const { MongoDBContainer } = await import('@testcontainers/mongodb')
    const container = await new MongoDBContainer(`mongo:${process.env.MONGO_TAG || '8.0'}`).start()
    return { container, url: `${container.getConnectionString()}/?directConnection=true` }
  })
}

/** The same for a Kafka broker. */
export function startKafkaContainer(): Promise<ContainerAddress> {
  return start(async () => {
    const [{ KafkaContainer }, { Wait }] = await Promise.all([
      import('@testcontainers/kafka'),
      import('testcontainers'),
    ])
    const container = await new KafkaContainer('confluentinc/cp-kafka:8.1.0')
      .withKraft()
      // Without this it counts as started before the broker takes calls.
      .withWaitStrategy(Wait.forLogMessage(/Kafka Server started/))
      .start()
    return { container, url: `${container.getHost()}:${container.getMappedPort(9093)}` }
  })
}

async function start(run: () => Promise<{ container: StartedTestContainer; url: string }>): Promise<ContainerAddress> {
  if (!maybeDocker()) return { missing: 'and no Docker engine answers' }
  try {
    const { container, url } = await run()
    after(() => container.stop())
    return { url }
  } catch (error) {
    return { missing: `and no container starts: ${error instanceof Error ? error.message : error}` }
  }
}

/** Spares runs without Docker the loading of testcontainers. */
function maybeDocker(): boolean {
  const sockets = ['/var/run/docker.sock', join(process.env.HOME ?? '', '.docker/run/docker.sock')]
  return (
    process.env.DOCKER_HOST !== undefined || process.platform === 'win32' || sockets.some((path) => existsSync(path))
  )
}
