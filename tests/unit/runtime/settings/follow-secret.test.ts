import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { followConfiguredKey } from '../../../../shared/api-keys/serving/accepted-keys.ts'
import { createMetrics } from '../../../../shared/runtime/metrics/metrics.ts'
import { followServiceSecrets } from '../../../../shared/runtime/settings/service-proof.ts'
import { atEnd } from '../../../support/cleanup.ts'
import { collectingLogger } from '../../../support/collecting-logger.ts'
import { newFolder } from '../../../support/temporary-folder.ts'
import { waitFor } from '../../../support/wait-for.ts'

const [FIRST, SECOND] = ['the-first-secret-of-all', 'the-second-secret-of-all']

describe('A secret that may be in a file', () => {
  function given(text: string) {
    const folder = newFolder()
    const file = `${folder}/secret`
    writeFileSync(file, text)
    const { logger, lines } = collectingLogger()
    return { file, lines, surroundings: { logger, metrics: createMetrics(logger), atEnd } }
  }

  it('follows its file, as SERVICE_SECRET', async () => {
    const { file, lines, surroundings } = given(FIRST)
    const secrets = await followServiceSecrets({ secrets: [FIRST], files: { SERVICE_SECRET_FILE: file } }, surroundings)
    assert.deepEqual(secrets(), [FIRST])
    writeFileSync(file, `${SECOND}\n${FIRST}\n`)
    await waitFor(() => secrets().length === 2, { what: 'both secrets' })
    assert.deepEqual(secrets(), [SECOND, FIRST])

    writeFileSync(file, 'short')
    await waitFor(() => lines.length === 2, { what: 'a line about what can’t be used' })
    assert.match(String(lines[1]?.msg), /the previous ones stay in use: SERVICE_SECRET_FILE=\S+ has an invalid value/)
    assert.deepEqual(secrets(), [SECOND, FIRST])
  })

  it('follows its file, as MINT_API_KEY', async () => {
    const { file, surroundings } = given(`mint_${FIRST}`)
    const settings = { apiKey: `mint_${FIRST}`, secretFiles: { MINT_API_KEY_FILE: file } }
    const key = await followConfiguredKey(settings, surroundings)
    const before = key()
    assert.equal(key(), before)
    writeFileSync(file, `mint_${SECOND}`)
    await waitFor(() => key() !== before, { what: 'the new key' })
    assert.notEqual(key()?.id, before?.id)
  })

  it('keeps its given value if it has no file', async () => {
    const { surroundings } = given('')
    assert.deepEqual((await followServiceSecrets({ secrets: [FIRST], files: {} }, surroundings))(), [FIRST])
    assert.deepEqual((await followServiceSecrets({ secrets: undefined, files: {} }, surroundings))(), [])
    assert.equal((await followConfiguredKey({ apiKey: undefined, secretFiles: {} }, surroundings))(), undefined)
  })
})
