import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'

/** Mint by docker-compose.yml: containers, network and volumes of its own, on free ports. */
export interface ComposedMint {
  readonly key: string
  /** Builds the image. */
  build(): Promise<void>
  /** `docker compose up --wait` with more arguments. */
  up(...more: readonly string[]): Promise<void>
  /** Ids of the containers of one service, or of all. */
  containers(service?: string): Promise<string[]>
  /** Where each gateway is reached from here. */
  gateways(): Promise<string[]>
  /** Kills a container's process with -9 from outside, which is a crash to Docker: its restart policy takes over. */
  crash(container: string): Promise<void>
  /** Kills a container and leaves it dead until `revive`. */
  kill(container: string): Promise<void>
  revive(container: string): Promise<void>
  /** What `docker inspect` says under a Go template. */
  inspect(container: string, format: string): Promise<string>
  /** How many bytes a container has sent over its network since it was started. */
  bytesSent(container: string): Promise<number>
  /** What the containers logged, each line with its container's name. */
  logs(): Promise<string>
  /** Removes everything, volumes and image too. */
  remove(): Promise<void>
}

/** `gateways`: how many ports to keep for them. */
export async function composedMint({ gateways }: { readonly gateways: number }): Promise<ComposedMint> {
  const project = `mint-test-${randomBytes(4).toString('hex')}`
  const key = `mint_${randomBytes(16).toString('hex')}`
  const port = await freePort()
  // Docker takes any free port of the range: more of them than are needed, as others may have some.
  const settings = {
    MINT_API_KEY: key,
    MINT_TAG: project,
    MINT_PORTS: `${port}-${port + gateways + 8}`,
    RATE_LIMIT_PER_SECOND: '1000000',
    PUBLIC_RATE_LIMIT_PER_SECOND: '1000000',
  }
  const compose = (...words: readonly string[]): Promise<string> =>
    docker(['compose', '-p', project, ...words], settings)
  const inspect = (container: string, format: string): Promise<string> => docker(['inspect', '-f', format, container])
  const containers = async (service?: string): Promise<string[]> =>
    lines(await compose('ps', '-a', '-q', ...(service ? [service] : [])))
  return {
    key,
    containers,
    inspect,
    async build() {
      await compose('build')
    },
    async up(...more) {
      await compose('up', '--wait', ...more)
    },
    async gateways() {
      const ports = (await containers('gateway')).map((container) => docker(['port', container, '8080/tcp']))
      return (await Promise.all(ports)).map((published) => `http://127.0.0.1:${/:(\d+)$/m.exec(published)?.[1]}`)
    },
    async crash(container) {
      const pid = await inspect(container, '{{.State.Pid}}')
      const kill = ['node', '-e', `process.kill(${pid}, 'SIGKILL')`]
      await docker(['run', '--rm', '--pid=host', '--user=root', `mint:${project}`, ...kill])
    },
    async kill(container) {
      await docker(['kill', container])
    },
    async revive(container) {
      await docker(['start', container])
    },
    async bytesSent(container) {
      const counters = await docker(['exec', container, 'cat', '/proc/net/dev'])
      return Number(/eth0:\s*(?:\d+\s+){8}(\d+)/.exec(counters)?.[1])
    },
    logs() {
      return compose('logs', '--no-color', '--timestamps')
    },
    async remove() {
      await compose('down', '--volumes', '--timeout', '5')
      await docker(['image', 'rm', '-f', `mint:${project}`])
    },
  }
}

/** How much one command may print, in bytes: `logs` tells of a whole test run. */
const MAX_OUTPUT = 256 * 2 ** 20

/** Runs the docker command and answers its output; what it complains about is in the error. */
export async function docker(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { stdout } = await promisify(execFile)('docker', words, {
    env: { ...process.env, ...environment },
    maxBuffer: MAX_OUTPUT,
  })
  return stdout.trim()
}

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '')
