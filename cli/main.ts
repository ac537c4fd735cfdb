import { run } from './program.ts'

// Each write handles its own failure: see writeRaw. Without a listener Node would end with a stack trace.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
process.exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  out: process.stdout,
  err: process.stderr,
})
