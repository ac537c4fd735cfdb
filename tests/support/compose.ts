import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { freePorts } from './free-port.ts'

/** docker-compose.yml as tests start it. */
export const COMPOSE_FILE = 'docker-compose.yml:tests/docker/docker-compose.quick.yml'

/** `gateways`: how many ports to reserve for them; `settings`: more variables for docker-compose.yml. */
export async function composedMint({
  gateways,
  settings: more = {},
}: {
  readonly gateways: number
  readonly settings?: Readonly<Record<string, string>>
}) {
  const project = `mint-test-${randomBytes(4).toString('hex')}`
  const key = `mint_${randomBytes(16).toString('hex')}`
  // An upgrade takes one more; the rest are spare, as Docker takes any free one and others may take some meanwhile.
  const ports = await freePorts(gateways + 3)
  const settings = {
    COMPOSE_FILE,
    COMPOSE_PROJECT_NAME: project,
    MINT_API_KEY: key,
    SERVICE_SECRET: randomBytes(32).toString('hex'),
    MINT_TAG: project,
    MINT_PORTS: `127.0.0.1:${ports[0]}-${ports.at(-1)}`,
    RATE_LIMIT_PER_SECOND: '1000000',
    PUBLIC_RATE_LIMIT_PER_SECOND: '1000000',
    ...more,
  }
  const tags = [project]
  const compose = (...words: readonly string[]): Promise<string> => docker(['compose', ...words], settings)
  const logs = (...services: readonly string[]) => compose('logs', '--no-color', '--timestamps', ...services)
  const printErrors = async () => console.log(errorsAmong(await logs().catch(String)))
  async function up(environment = settings): Promise<void> {
    try {
      await docker(['compose', 'up', '--wait'], environment)
    } catch (error) {
      await printErrors()
      throw error
    }
  }
  const inspect = (container: string, format: string): Promise<string> => docker(['inspect', '-f', format, container])
  const containers = async (service?: string): Promise<string[]> =>
    lines(await compose('ps', '-a', '-q', ...(service ? [service] : [])))
  return {
    key,
    /** The environment of its commands. */
    settings,
    /** The ports of this machine that gateways may use. */
    ports,
    /** Ids of the containers of one service, or of all. */
    containers,
    /** The output of `docker inspect` for a Go template. */
    inspect,
    /** Builds the image. */
    async build() {
      await compose('build')
    },
    /** `docker compose up --wait`; if that fails, prints the last errors. */
    up: () => up(),
    /** The same once, with another compose file and other settings on top. */
    async upWith(file: string, changed: Readonly<Record<string, string>> = {}) {
      await up({ ...settings, ...changed, COMPOSE_FILE: `${settings.COMPOSE_FILE}:${file}` })
    },
    /** Builds another image on top of that one, with more lines in its Dockerfile, and returns its tag. */
    async buildOn(...lines: readonly string[]) {
      const tag = `${project}-${tags.length}`
      tags.push(tag)
      await run('sh', [
        '-c',
        'printf "%s" "$1" | docker build --tag "$2" -',
        '-',
        dockerfile(project, lines),
        `mint:${tag}`,
      ])
      return tag
    },
    /** Runs `cli/upgrade-compose` with other settings (MINT_TAG for another image), which later commands also use. */
    async upgrade(changed: Readonly<Record<string, string>>) {
      Object.assign(settings, changed)
      await run('cli/upgrade-compose', ['60'], settings)
    },
    /** The URL of each gateway from this machine. */
    async gateways() {
      const ports = (await containers('gateway')).map((container) => docker(['port', container, '8080/tcp']))
      return (await Promise.all(ports)).map((published) => `http://127.0.0.1:${/:(\d+)$/m.exec(published)?.[1]}`)
    },
    /** What the containers logged, each line with its container's name. */
    logs,
    /** Prints the last of them, which are gone once everything is removed. */
    printErrors,
    /** Removes everything, volumes and image too. */
    async remove() {
      await compose('down', '--volumes', '--timeout', '5')
      await docker(['image', 'rm', '-f', ...tags.map((tag) => `mint:${tag}`)])
    },
  }
}

/** Mint started from docker-compose.yml, with its own containers, network and volumes, on free ports. */
export type ComposedMint = Awaited<ReturnType<typeof composedMint>>

/** The most that one command may print, in bytes: `logs` covers a whole test run. */
const MAX_OUTPUT = 256 * 2 ** 20

/** Runs the docker command and returns its output; an error includes what it printed to stderr. */
export const docker = (words: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<string> =>
  run('docker', words, environment)

async function run(
  program: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { stdout } = await promisify(execFile)(program, words, {
    env: { ...process.env, ...environment },
    maxBuffer: MAX_OUTPUT,
  })
  return stdout.trim()
}

const dockerfile = (tag: string, lines: readonly string[]): string => [`FROM mint:${tag}`, ...lines, ''].join('\n')

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '')

/** The last warnings and errors of Mint's processes, with what they printed outside the log, and an empty line. */
function errorsAmong(logs: string): string {
  const ofMint = logs.split('\n').filter((line) => /^(gateway|contracts|businesses)-/.test(line))
  const errors = ofMint.filter((line) => /"level":[456]0/.test(line) || !line.includes('"level":'))
  return ['errors that the containers logged:', ...errors.slice(-30), ''].join('\n')
}
