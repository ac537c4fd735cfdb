import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'

/** Java's options for brokers of tests: without the optimizing compiler, they need half the processor time. */
export const QUICK_JAVA = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC']

/**
 * `control`: the program in KAFKA_CONTROL. It is called with `start kafka`, `kill kafka` and `reset`, with the
 * broker's port in KAFKA_PORT and its controller's in KAFKA_CONTROLLER_PORT.
 */
export async function startOwnBroker(control: string) {
  const [port, controllerPort, nobodys] = await Promise.all([freePort(), freePort(), freePort()])
  const ports = { KAFKA_PORT: `${port}`, KAFKA_CONTROLLER_PORT: `${controllerPort}`, MONGO_PORT: `${nobodys}` }
  const java = { JDK_JAVA_OPTIONS: QUICK_JAVA.join(' ') }
  const run = async (...command: string[]): Promise<void> => {
    await promisify(execFile)(control, command, { env: { ...process.env, ...java, ...ports } })
  }
  const broker = {
    /** `host:port`. */
    address: `127.0.0.1:${port}`,
    /** kill -9. */
    kill: () => run('kill', 'kafka'),
    /** Resolves when it is ready again. */
    start: () => run('start', 'kafka'),
    /** Stops it and deletes its data. */
    remove: () => run('reset'),
  }
  await broker.start().catch(async (error) => {
    await broker.remove()
    throw error
  })
  return broker
}

/** A Kafka broker for one suite, which may kill it without affecting other suites. */
export type OwnBroker = Awaited<ReturnType<typeof startOwnBroker>>
