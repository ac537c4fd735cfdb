/** How long stopping containers and pending output may take, in milliseconds. */
const EXIT_DELAY = 30_000

/**
 * Mocha calls it once, after the last suite, on its runner. A failed test may not have closed what it opened, so the
 * run is then ended here. A run without failures ends without help; if it hangs, a test has left something open.
 */
export function mochaGlobalTeardown(this: { readonly failures: number }): void {
  if (this.failures > 0) setTimeout(() => process.exit(), EXIT_DELAY).unref()
}
