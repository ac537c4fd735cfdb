import assert from 'node:assert/strict'
import { overTransport } from '../support/gateway-fixture.ts'
import { dereferenced, openApi } from '../support/openapi-document.ts'
import { aNewContract } from '../support/rest.ts'

/** Every GET with a parameter that is a date or a timestamp: path, name and format. */
const parameters = Object.entries<Record<string, { parameters?: unknown[] }>>(openApi.paths).flatMap(
  ([path, methods]) =>
    (methods.get?.parameters ?? [])
      .map(dereferenced)
      .filter(({ schema }) => ['date', 'date-time'].includes(schema.format))
      .map(({ name, schema }) => ({ path, name, isDate: schema.format === 'date' })),
)

overTransport('direct', 'The year 0000', (call) => {
  const refuses = async (method: string, path: string, pointer: string, body?: object) => {
    const answer = await call(method, path, body)
    const pointers = (answer.body.errors ?? []).map((error: { pointer: string }) => error.pointer)
    assert.deepEqual([answer.status, pointers], [400, [pointer]], `${method} ${path}: ${answer.text}`)
  }

  it('is refused in every query parameter', async () => {
    assert.ok(parameters.length > 15, `${parameters.length} parameters`)
    for (const { path, name, isDate } of parameters) {
      const id = path.startsWith('/businesses') ? '11111111-1111-1111-1111-111111111111' : '1'
      const needed = path.endsWith('/changes') && name !== 'since' ? 'since=2026-01-01T00:00:00Z&' : ''
      const moments = ['0000-01-01T00:00:00Z', '0000-12-31T23:59:00-00:01', '0001-01-01T00:00:00+00:01']
      for (const text of isDate ? ['0000-01-01', '0000-12-31'] : moments) {
        await refuses('GET', `${path.replace('{id}', id)}?${needed}${name}=${encodeURIComponent(text)}`, `/${name}`)
      }
    }
  })

  it('is refused in every body', async () => {
    for (const serviceDate of ['0000-01-01', '0000-12-31T00:00:00.000Z']) {
      await refuses('POST', '/contracts', '/serviceDate', aNewContract({ serviceDate }))
    }
    await refuses('POST', '/businesses', '/incorporationDate', { legalName: 'Acme', incorporationDate: '0000-01-01' })
    await refuses('PUT', '/closing', '/closedThrough', { closedThrough: '0000-01-31', reason: 'Filed.' })
    const expiresAt = '0000-01-01T00:00:00Z'
    await refuses('POST', '/api-keys', '/expiresAt', { name: 'Old', scopes: ['contracts:read'], expiresAt })
  })

  it('is below the first valid one: 0001 is accepted', async () => {
    const { status, body } = await call('POST', '/contracts', aNewContract({ serviceDate: '0001-01-01' }))
    assert.deepEqual([status, body.serviceDate], [201, '0001-01-01T00:00:00.000Z'])
  })
})
