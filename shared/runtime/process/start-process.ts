import type { ProcessConfig, ProcessDefinition } from './run-process.ts'

/**
 * Loads a process and runs it. A container's first process ignores every signal that it doesn't listen for, so this
 * listens before anything else is loaded: a SIGTERM or SIGINT during loading ends the process, since nothing has begun
 * yet. Later it does nothing, and other listeners decide. Only types may be imported here.
 */
export async function startProcess<Config extends ProcessConfig>(
  load: () => Promise<{ readonly definition: ProcessDefinition<Config> }>,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.on(signal, () => process.listenerCount(signal) === 1 && process.exit(0))
  }
  const [{ definition }, { runProcess }] = await Promise.all([load(), import('./run-process.ts')])
  await runProcess(definition, environment)
}
