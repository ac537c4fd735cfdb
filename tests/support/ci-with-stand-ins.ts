import { spawn } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { waitFor } from './wait-for.ts'

/** What replaces a command, in sh, by a pattern of its command line: `npm run --silent check:types`. */
type Behaviour = Readonly<Record<string, string>>

interface Options {
  /** Whether there is a kit beside the project; with one, nothing may be skipped. */
  readonly kit?: boolean
  readonly behaviour?: Behaviour
}

const PROGRAMS = [
  ...['npm', 'npx', 'git', 'docker', 'nginx', 'caddy', 'openssl', 'systemd-analyze', 'chromium-headless-shell'],
  ...['go', 'ip'],
]

/** Starts the real .ci/run in a new folder where every command is a stand-in that succeeds unless told otherwise. */
export function startCi(folder: string, { kit = true, behaviour = {} }: Options) {
  const [project, programs, calls] = ['project', 'programs', 'calls'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  cpSync('.ci', join(project, '.ci'), { recursive: true })
  for (const path of ['project/tests', 'project/node_modules/.bin', 'programs', 'shared/engines']) {
    mkdirSync(join(folder, path), { recursive: true })
  }
  symlinkSync(process.execPath, join(project, 'node_modules/.bin/node'))
  writeFileSync(join(project, 'tests/engine.test.ts'), 'describeOn(mongoEngine(), …)\n')
  for (const name of PROGRAMS) writeProgram(join(programs, name), standIn(calls, behaviour))
  if (kit) {
    writeProgram(join(folder, 'shared/engines/engines'), standIn(calls, behaviour))
    writeProgram(join(folder, 'shared/engines/docker-images'), standIn(calls, behaviour))
  }
  writeFileSync(calls, '')
  const called = () => readFileSync(calls, 'utf8').trim().split('\n')
  const env = { PATH: `${programs}:${process.env.PATH}`, TMPDIR: folder }
  const child = spawn('sh', ['-c', 'exec .ci/run 2>&1'], { cwd: project, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const printed = text(child.stdout)
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
  return {
    interrupt: () => child.kill('SIGTERM'),
    hasCalled: (command: string) => waitFor(() => called().includes(command), { what: command }),
    async ended() {
      const [status, output] = await Promise.all([closed, printed])
      return { status, output, lastLine: output.trim().split('\n').at(-1) ?? '', called: called() }
    },
  }
}

/** Records that it was called; a run of mocha reports two passing tests. */
const standIn = (calls: string, behaviour: Behaviour): string => `#!/bin/sh
command=$(basename "$0")\${*:+ $*}
echo "$command" >>'${calls}'
case $command in
${Object.entries(behaviour)
  .map(([pattern, script]) => `  ${pattern.replaceAll(' ', '\\ ')}) ${script} ;;`)
  .join('\n')}
  'engines status') exit 1 ;;
  'engines mongod' | 'engines kafka') echo /a/path ;;
  npm*test* | npx*) echo '  2 passing (1ms)' ;;
esac
`

function writeProgram(file: string, text: string): void {
  writeFileSync(file, text)
  chmodSync(file, 0o755)
}
