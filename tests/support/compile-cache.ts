import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// As cli/launch.js does for Mint: also worker threads, of which every suite with SQLite starts several, then load
// compiled code. Nearly half of such a suite's processor time was the type stripper's.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url))
enableCompileCache()
