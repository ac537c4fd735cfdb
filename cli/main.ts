import { run } from './program.ts'

// Whoever writes is told of it as well: see ReaderGone.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})
process.exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  out: process.stdout,
  err: process.stderr,
})
