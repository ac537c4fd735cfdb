import { run } from './program.ts'

// Whoever stops reading (`mint history … | head`) has what it wanted.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})
process.exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  out: process.stdout,
  err: process.stderr,
})
