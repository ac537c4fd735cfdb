import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../../support/temporary-folder.ts'

export interface Writers {
  /** Stops them and returns the ids of all acknowledged commits. */
  stop(): Promise<string[]>
  /** Kills processes that `stop` was not called for, and removes their view files. */
  kill(): Promise<void>
}

/** Starts processes that append to one database concurrently, to separate and to shared streams. */
export async function startWriters(url: string, name: string, count = 3): Promise<Writers> {
  const program = fileURLToPath(new URL('./writer-process.ts', import.meta.url))
  const views = temporaryFolder()
  const children = Array.from({ length: count }, () =>
    fork(program, [url, name], { env: { ...process.env, TMPDIR: views.path } }),
  )
  await Promise.all(children.map((child) => once(child, 'message')))
  return {
    async stop() {
      const acknowledged = await Promise.all(children.map(stopOne))
      return acknowledged.flat()
    },
    async kill() {
      await Promise.all(children.map(killOne))
      views.remove()
    },
  }
}

async function stopOne(child: ChildProcess): Promise<string[]> {
  const [answer, gone] = [once(child, 'message'), once(child, 'exit')]
  child.send({ stop: true })
  const [{ acknowledged }] = await answer
  await gone
  return acknowledged
}

async function killOne(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
