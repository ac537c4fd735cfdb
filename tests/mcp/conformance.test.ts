import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { atEnd } from '../support/cleanup.ts'
import { startWholeMint, TEST_KEY } from '../support/gateway-fixture.ts'
import { newFolder } from '../support/temporary-folder.ts'

/** What Mint doesn't offer, or what requires tools that only a server built for the suite has. */
const NOT_OFFERED = [
  ...['logging-set-level', 'completion-complete', 'resources-list', 'resources-read-text', 'resources-read-binary'],
  ...['resources-templates-read', 'resources-subscribe', 'resources-unsubscribe', 'prompts-list'],
  ...['prompts-get-simple', 'prompts-get-with-args', 'prompts-get-embedded-resource', 'prompts-get-with-image'],
  ...['tools-call-image', 'tools-call-audio', 'tools-call-embedded-resource', 'tools-call-mixed-content'],
  ...['tools-call-with-logging', 'tools-call-with-progress', 'tools-call-sampling', 'tools-call-elicitation'],
  ...['elicitation-sep1034-defaults', 'elicitation-sep1330-enums', 'server-sse-multiple-streams'],
]
const APPLICABLE = ['server-initialize', 'ping', 'tools-list', 'tools-call-error', 'dns-rebinding-protection']

/** A proxy that adds a key to each request, as the suite has none. */
async function withKey(port: number): Promise<number> {
  const proxy = createServer((req, res) => {
    const headers = { ...req.headers, authorization: `Bearer ${TEST_KEY}` }
    const passed = request({ port, method: req.method, path: req.url, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(res)
    })
    req.pipe(passed)
  })
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening))
  atEnd(() => proxy.close())
  return (proxy.address() as AddressInfo).port
}

describe('The Model Context Protocol’s own suite', () => {
  it('passes for everything that Mint offers', async function () {
    this.timeout(120_000)
    const mint = await startWholeMint('direct')
    atEnd(() => mint.stop())
    const cwd = newFolder()
    const list = ['server:', ...NOT_OFFERED.map((name) => `  - ${name}`), 'client: []', '']
    writeFileSync(`${cwd}/not-offered.yml`, list.join('\n'))
    const program = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'))
    const url = `http://localhost:${await withKey(mint.port)}/mcp`
    const args = [program, 'server', '--url', url, '--expected-failures', 'not-offered.yml']
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd })
    for (const name of APPLICABLE) assert.match(stdout, new RegExp(`${name}: [1-9]\\d* passed, 0 failed`))
  })
})
