import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { docker } from '../support/compose.ts'

/** With the folders that the image has. */
const IN_CONTAINER = `
  rm "$(which node)"
  for part in made gateway contracts businesses operator mongo mongo-setup kafka kafka-setup; do mkdir -p /secrets/$part; done
  sh /compose-secrets && echo made
  find /secrets -type f -empty`

describe('cli/compose-secrets', () => {
  it('fails if it can’t make a secret, and hands out no empty one', async () => {
    const volume = ['--volume', `${resolve('cli/compose-secrets')}:/compose-secrets:ro`]
    const image = process.env.NODE_IMAGE || 'node:24-bookworm-slim'
    assert.equal(await docker(['run', '--rm', ...volume, image, 'sh', '-c', IN_CONTAINER]), '')
  })
})
