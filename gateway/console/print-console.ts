import { readConsole } from './read-console.ts'

// For the gateway, which runs this in a process of its own.
process.stdout.write(JSON.stringify(await readConsole()))
