import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { run } from '../../cli/program.ts'

/** How a command ended. */
export interface CommandEnd {
  readonly exitCode: number
  readonly output: string
  readonly errors: string
}

/** Runs `mint …` in this process, with nothing but this environment. `isTTY`: standard output is a terminal. */
export async function mint(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  { isTTY = false } = {},
): Promise<CommandEnd> {
  const [out, err] = [collecting(), collecting()]
  const exitCode = await run(words, { environment, out: Object.assign(out.stream, { isTTY }), err: err.stream })
  return { exitCode, output: out.text(), errors: err.text() }
}

/** Runs a command that must succeed. */
export async function succeeds(...command: Parameters<typeof mint>): Promise<void> {
  const { exitCode, errors, output } = await mint(...command)
  assert.equal(exitCode, 0, `${command[0].join(' ')}: ${errors}${output}`)
}

/** Runs a command that must succeed, with `--json`. Returns its values. */
export async function itemsOf<Item = Record<string, unknown>>(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Item[]> {
  const { exitCode, output, errors } = await mint([...words, '--json'], environment)
  assert.deepEqual([exitCode, errors], [0, ''])
  return jsonLines(output) as Item[]
}

/** The JSON values of an output, one per line. */
export function jsonLines(output: string): unknown[] {
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

function collecting() {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(Buffer.from(chunk))
      done()
    },
  })
  return { stream, text: () => Buffer.concat(chunks).toString() }
}
