import assert from 'node:assert/strict'
import { bothEngines, describeOn } from '../../support/engines.ts'
import { linesWith } from '../../support/lines-with.ts'
import { newSeparateMint } from '../../support/separate-processes.ts'
import { waitFor } from '../../support/wait-for.ts'

/** The top-level domain of names that nobody has (RFC 6761). */
const UNKNOWN = { MONGO_URL: 'mongodb+srv://nowhere.invalid/' }

describeOn(bothEngines(), 'Processes whose MongoDB has a name that DNS does not know', (mongoUrl) => {
  for (const part of ['contracts', 'businesses', 'gateway'] as const) {
    it(`say so, keep retrying, and still stop cleanly on SIGTERM (${part})`, async () => {
      const mint = await newSeparateMint(mongoUrl)
      const started = mint.start(part, UNKNOWN)
      const waiting = () => linesWith(started.log(), '"msg":"waiting for MongoDB"')
      await waitFor(() => waiting().length >= 2, { timeout: 40_000, what: 'two lines that say what it waits for' })
      for (const line of waiting())
        assert.match(line, /the DNS lookup of _mongodb\._tcp\.nowhere\.invalid failed \(E\w+\)/)
      assert.equal(await started.end(), 0)
    }).timeout(60_000)
  }
})
