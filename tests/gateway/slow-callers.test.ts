import { atEnd } from '../support/cleanup.ts'
import { startGateway, TEST_KEY } from '../support/gateway-fixture.ts'
import { assertProblem } from '../support/problem-assertions.ts'
import { callRaw } from '../support/raw-http.ts'

describe('A slow caller', () => {
  const head = `POST /contracts HTTP/1.1\r\nHost: mint\r\nContent-Type: application/json\r\n`

  async function gatewayWithShortTimeouts() {
    const timeouts = { headers: 200, body: 200, service: 5_000 }
    const gateway = atEnd.stop(
      await startGateway({ contracts: {}, clients: {}, businesses: {} } as never, { timeouts }),
    )
    return gateway
  }

  it('whose headers never end gets 408', async () => {
    const { port } = await gatewayWithShortTimeouts()
    assertProblem(await callRaw(port, head), 408, 'request_timeout')
  })

  it('whose first line never ends gets 408', async () => {
    const { port } = await gatewayWithShortTimeouts()
    assertProblem(await callRaw(port, 'GE'), 408, 'request_timeout')
  })

  it('whose body never ends gets 408', async () => {
    const { port } = await gatewayWithShortTimeouts()
    const request = `${head}Authorization: Bearer ${TEST_KEY}\r\nContent-Length: 50\r\n\r\n{`
    assertProblem(await callRaw(port, request), 408, 'request_timeout')
  })

  it('whose body is not needed gets an answer immediately', async () => {
    const { port } = await gatewayWithShortTimeouts()
    const request = `${head}Connection: close\r\nContent-Length: 50\r\n\r\n{`
    assertProblem(await callRaw(port, request), 401, 'missing_api_key')
  })

  it('who keeps sending after the answer is cut off', async () => {
    const gateway = atEnd.stop(await startGateway({ contracts: {}, clients: {}, businesses: {} } as never, {}))
    // The connection would be kept open and the body read to its end: only the gateway can close it.
    assertProblem(await callRaw(gateway.port, `${head}Content-Length: 5000000\r\n\r\n{`), 401, 'missing_api_key')
  })
})
