import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { parseYaml } from '@redocly/openapi-core'
import { asyncApiDocument } from '../../gateway/openapi/asyncapi.ts'
import { openApi } from '../support/openapi-document.ts'

const read = (file: string): string => readFileSync(file, 'utf8')

describe('The licence', () => {
  it('is named in everything that is published', () => {
    // biome-ignore lint/suspicious/noExplicitAny: parsed documents
    const [asyncApi, chart]: any[] = [asyncApiDocument(), parseYaml(read('deploy/helm/mint/Chart.yaml'))]
    assert.deepEqual(
      {
        package: JSON.parse(read('package.json')).license,
        client: JSON.parse(read('deploy/clients/typescript/package.json')).license,
        openApi: openApi.info.license.identifier,
        asyncApi: asyncApi.info.license?.name,
        chart: chart.annotations['artifacthub.io/license'],
        image: /image\.licenses=(\S+)/.exec(read('Dockerfile'))?.[1],
      },
      {
        package: 'Apache-2.0',
        client: 'Apache-2.0',
        openApi: 'Apache-2.0',
        asyncApi: 'Apache-2.0',
        chart: 'Apache-2.0',
        image: 'Apache-2.0',
      },
    )
    assert.match(read('LICENSE'), /Apache License\s+Version 2\.0, January 2004/)
    // The image and the clients contain its text.
    assert.match(read('Dockerfile'), /^COPY LICENSE /m)
    assert.equal(read('.ci/release').match(/cp LICENSE/g)?.length, 2)
  })
})
