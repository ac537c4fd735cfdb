import assert from 'node:assert/strict'
import { bothEngines, describeOn } from '../../support/engines.ts'
import { linesWith } from '../../support/lines-with.ts'
import type { PartProcess } from '../../support/part-process.ts'
import { newSeparateMint } from '../../support/separate-processes.ts'
import { waitFor } from '../../support/wait-for.ts'

/** A top-level domain whose names never resolve (RFC 6761). */
const UNKNOWN = { MONGO_URL: 'mongodb+srv://nowhere.invalid/' }

describeOn(bothEngines(), 'Processes whose MongoDB has a name that doesn’t resolve', (mongoUrl) => {
  it('report it, keep retrying, and still stop cleanly on SIGTERM', async () => {
    const mint = await newSeparateMint(mongoUrl)
    const parts = (['contracts', 'businesses', 'gateway'] as const).map((part) => mint.start(part, UNKNOWN))
    const waitingOf = (part: PartProcess) => linesWith(part.log(), '"msg":"waiting for MongoDB"')
    const haveSaidSo = () => parts.every((part) => waitingOf(part).length >= 2)
    await waitFor(haveSaidSo, { timeout: 40_000, what: 'two lines of each that say what it waits for' })
    for (const line of parts.flatMap(waitingOf))
      assert.match(line, /the DNS lookup of _mongodb\._tcp\.nowhere\.invalid failed \(E\w+\)/)
    assert.deepEqual(await Promise.all(parts.map((part) => part.end())), [0, 0, 0])
  })
})
