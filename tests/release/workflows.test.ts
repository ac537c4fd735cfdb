import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { parseYaml } from '@redocly/openapi-core'

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly with?: Readonly<Record<string, unknown>>
}

/** The steps of a workflow's job. */
function stepsOf(workflow: string, job: string): readonly Step[] {
  const { jobs } = parseYaml(readFileSync(`.github/workflows/${workflow}.yml`, 'utf8')) as {
    jobs: Record<string, { steps: Step[] }>
  }
  return jobs[job]?.steps ?? []
}

const scriptsOf = (workflow: string, job: string) =>
  stepsOf(workflow, job).flatMap(({ run = '' }) => /\.ci\/\w+/.exec(run)?.[0] ?? [])

describe('The workflows', () => {
  it('call the same scripts that developers run', () => {
    assert.deepEqual(scriptsOf('ci', 'run'), ['.ci/run'])
    assert.deepEqual(scriptsOf('nightly', 'run'), ['.ci/nightly'])
    assert.deepEqual(scriptsOf('release', 'packages'), ['.ci/run', '.ci/release'])
  })

  it('release the image for two architectures, with provenance and an SBOM', () => {
    const build = stepsOf('release', 'image').find(({ uses }) => uses?.startsWith('docker/build-push-action@'))
    const { platforms, provenance, sbom, push } = build?.with ?? {}
    assert.deepEqual(
      { platforms, provenance, sbom, push },
      {
        platforms: 'linux/amd64,linux/arm64',
        provenance: 'mode=max',
        sbom: true,
        push: true,
      },
    )
  })

  // By default, the action takes title, description and licence from the hosting service, even empty ones.
  it('release the image with the labels of its Dockerfile, which has a health check', () => {
    const dockerfile = readFileSync('Dockerfile', 'utf8')
    const own = [...dockerfile.matchAll(/(org\.opencontainers\.image\.\w+)=("?)(.*?)\2(?: \\)?$/gm)]
    const about = stepsOf('release', 'image').find(({ uses }) => uses?.startsWith('docker/metadata-action@'))
    const labels = own.map(([, name, , value]) => `${name}=${value}\n`).join('')
    assert.match(labels, /\.licenses=Apache-2\.0\n/)
    assert.equal(about?.with?.labels, labels)
    assert.match(dockerfile, /^HEALTHCHECK /m)
  })
})
