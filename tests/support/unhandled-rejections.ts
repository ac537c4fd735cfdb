/** Fails the test that is running; one of Mint's processes would end, but Mocha ignores such a rejection. */
const fail = (reason: unknown): never => {
  throw reason
}

/** Mocha's workers remove every listener after each file. */
export const mochaHooks = { beforeAll: () => void process.on('unhandledRejection', fail) }
