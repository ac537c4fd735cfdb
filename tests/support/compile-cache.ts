import { enableCompileCache, flushCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// As cli/launch.js does for Mint: also worker threads, which most suites with SQLite start, then load compiled code.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url))
enableCompileCache()

/** Node writes the cache when a process ends; in a fresh clone, the other processes need it before. */
export const mochaHooks = { beforeAll: () => flushCompileCache() }
