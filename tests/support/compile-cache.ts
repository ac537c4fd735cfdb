import { enableCompileCache, flushCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// As cli/launch.js does for Mint: worker threads, which most SQLite suites start, then load compiled code, too.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url))
enableCompileCache()

/** Node writes the cache when a process exits; in a fresh clone, the other processes need it earlier. */
export const mochaHooks = { beforeAll: () => flushCompileCache() }
