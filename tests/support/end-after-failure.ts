/** How long containers that are just stopping, and what is still being printed, may take, in milliseconds. */
const LEAVE_TIME = 30_000

/**
 * Mocha calls it once, after the last suite, on its runner. A test that failed may not have come to close what it had
 * opened: the run then ends all the same. A run without failures ends by itself, or shows by not ending that a test
 * left something behind.
 */
export function mochaGlobalTeardown(this: { readonly failures: number }): void {
  if (this.failures > 0) setTimeout(() => process.exit(), LEAVE_TIME).unref()
}
