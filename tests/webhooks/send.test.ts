import assert from 'node:assert/strict'
import type { LookupAddress, lookup } from 'node:dns'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { deliveryRule, networks } from '../../gateway/webhooks/addresses.ts'
import { createSender } from '../../gateway/webhooks/send.ts'
import { atEnd } from '../support/cleanup.ts'
import { freePorts } from '../support/free-port.ts'
import { type Answering, startReceiver } from '../support/receiver.ts'
import { waitFor } from '../support/wait-for.ts'

const headers = { 'content-type': 'application/cloudevents+json' }

type Done = (error: null, addresses: readonly LookupAddress[] | undefined) => void

/** A sender that may contact these networks besides the Internet, and resolves names with `addressesOf`. */
function newSender(allowed: readonly string[], addressesOf?: (name: string) => readonly string[]) {
  const fake = ((name: string, _options: object, done: Done) =>
    done(
      null,
      addressesOf?.(name).map((address) => ({ address, family: 4 })),
    )) as unknown as typeof lookup
  return atEnd.stop(
    createSender({
      isAllowed: deliveryRule(networks(allowed)),
      clock: Date.now,
      milliseconds: 500,
      ...(addressesOf && { lookup: fake }),
    }),
  )
}

const receiver = async (...[answering, host, port]: Parameters<typeof startReceiver>) =>
  atEnd.stop(await startReceiver(answering, host, port))

/** A receiver over raw sockets. */
async function rawReceiver(onConnection: (socket: Socket) => void) {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined).resume()
    onConnection(socket)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  atEnd(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, sockets }
}

const send = (sender: ReturnType<typeof newSender>, url: string) => sender.send({ url, headers, body: '{"a":"ü"}' })

describe('Sending a delivery', () => {
  it('posts the body with its headers, and succeeds with any 2xx', async () => {
    const { url, received, state } = await receiver()
    const sender = newSender(['127.0.0.1'])
    for (const status of [200, 204, 299]) {
      state.answering = () => status
      assert.deepEqual(await send(sender, url), { status, reason: null, retryAfter: undefined })
    }
    assert.equal(received[0]?.body, '{"a":"ü"}')
    assert.equal(received[0]?.headers['content-type'], headers['content-type'])
    assert.equal(received[0]?.headers['content-length'], '10')
    assert.equal(state.connections, 1)
  })

  it('fails with any other status, and returns the receiver’s Retry-After', async () => {
    const { url, state } = await receiver()
    const sender = newSender(['127.0.0.1'])
    const answer = (status: number, retryAfter: string): Answering => {
      return (_, res) => void res.writeHead(status, { 'retry-after': retryAfter }).end()
    }
    state.answering = answer(503, '120')
    assert.deepEqual(await send(sender, url), {
      status: 503,
      reason: 'The receiver answered 503.',
      retryAfter: 120_000,
    })
    state.answering = answer(429, new Date(Date.now() + 60_000).toUTCString())
    const { retryAfter = 0 } = await send(sender, url)
    assert.ok(retryAfter > 50_000 && retryAfter <= 60_000)
    state.answering = answer(503, '99999999999')
    assert.equal((await send(sender, url)).retryAfter, 99_999_999_999_000)
    state.answering = answer(410, 'soon')
    assert.deepEqual(await send(sender, url), {
      status: 410,
      reason: 'The receiver answered 410.',
      retryAfter: undefined,
    })
  })

  it('does not follow a redirect, especially to an internal address', async () => {
    const inner = await receiver(undefined, '127.0.0.2')
    const { url } = await receiver((_, res) => void res.writeHead(302, { location: inner.url }).end())
    assert.deepEqual(await send(newSender(['127.0.0.1']), url), {
      status: 302,
      reason: 'Redirects are not followed.',
      retryAfter: undefined,
    })
    assert.equal(inner.state.connections, 0)
  })

  it('never connects to a forbidden address, however it is spelled', async () => {
    const { port, state } = await receiver()
    const hosts = ['127.0.0.1', '127.1', '0x7f.1', '2130706433', '[::ffff:127.0.0.1]', '[::1]', 'localhost']
    const sender = newSender([])
    for (const host of hosts) {
      for (const scheme of ['http', 'https']) {
        const { status, reason } = await send(sender, `${scheme}://${host}:${port}/`)
        assert.equal(status, null)
        assert.match(reason ?? '', /^Nothing is sent to (127\.0\.0\.1|::1|::ffff:7f00:1) by/, `${scheme} ${host}`)
      }
    }
    assert.equal(state.connections, 0)
  })

  it('connects to the address that it checked, even if DNS changes its answer', async () => {
    // A port that the system assigns to nothing else meanwhile, because it must be free on both addresses.
    const [port] = await freePorts(1)
    const outer = await receiver((_, res) => void res.writeHead(204, { connection: 'close' }).end(), '127.0.0.2', port)
    const inner = await receiver(undefined, '127.0.0.1', port)
    const answers = [['127.0.0.2'], ['127.0.0.1'], ['127.0.0.2', '127.0.0.1']]
    const sender = newSender(['127.0.0.2'], () => answers.shift() ?? [])
    const url = `http://rebinding.example:${outer.port}/`
    assert.equal((await send(sender, url)).status, 204)
    for (let attempt = 0; attempt < 2; attempt++) {
      assert.match((await send(sender, url)).reason ?? '', /^Nothing is sent to 127\.0\.0\.1/)
    }
    assert.match((await send(sender, url)).reason ?? '', /rebinding\.example has no address/)
    assert.deepEqual([outer.state.connections, inner.state.connections], [1, 0])
  })

  it('gives up on receivers that never answer, only slowly, or with another protocol, after a total timeout', async () => {
    const switching = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'
    const slowly = await rawReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const timer = setInterval(() => socket.write('x'), 50)
      socket.on('close', () => clearInterval(timer))
    })
    const sender = newSender(['127.0.0.1'])
    const otherwise = await rawReceiver((socket) => socket.write(switching))
    for (const { url, sockets } of [await rawReceiver(() => undefined), slowly, otherwise]) {
      const answer = await send(sender, url)
      assert.deepEqual(answer, { status: null, reason: 'There was no answer within 0.5 seconds.' })
      await waitFor(() => sockets[0]?.closed)
    }
  })

  it('fails if the receiver closes the connection in mid-header, or is unreachable', async () => {
    const { url } = await rawReceiver((socket) => socket.end('HTTP/1.1 200 OK\r\nServer: '))
    const sender = newSender(['127.0.0.1'])
    for (const nowhere of [url, 'http://127.0.0.1:1/']) {
      const { status, reason } = await send(sender, nowhere)
      assert.equal(status, null)
      assert.ok(reason)
    }
  })

  it('reports what went wrong with each address of a name', async () => {
    const sender = newSender(['127.0.0.0/8'], () => ['127.0.0.1', '127.0.0.2'])
    const { reason } = await send(sender, 'http://two.example:1/')
    assert.equal(reason, 'connect ECONNREFUSED 127.0.0.1:1; connect ECONNREFUSED 127.0.0.2:1')
  })

  it('looks up names that can’t be resolved one at a time, so that the lookups of others don’t wait for them', async () => {
    const { port } = await receiver()
    const pending: { readonly name: string; readonly fail: () => void }[] = []
    const looked: string[] = []
    const fake = ((
      name: string,
      _options: object,
      done: (error: Error | null, addresses?: LookupAddress[]) => void,
    ) => {
      looked.push(name)
      if (name === 'good.example') done(null, [{ address: '127.0.0.1', family: 4 }])
      else pending.push({ name, fail: () => done(new Error(`no answer about ${name}`)) })
    }) as unknown as typeof lookup
    const isAllowed = deliveryRule(networks(['127.0.0.1']))
    const sender = atEnd.stop(createSender({ isAllowed, clock: Date.now, lookup: fake }))
    const to = (name: string) => send(sender, `http://${name}:${port}/`)
    const bad = ['one.example', 'two.example', 'one.example']
    for (const expected of [
      // Nothing is known about them yet. Attempts at the same name share a lookup.
      [['one.example', 'two.example']],
      [['one.example'], ['two.example']],
    ]) {
      const attempts = bad.map(to)
      for (const names of expected) {
        await waitFor(() => pending.length === names.length)
        assert.equal((await to('good.example')).status, 204)
        assert.deepEqual(
          pending.map(({ name }) => name),
          names,
        )
        for (const { fail } of pending.splice(0)) fail()
      }
      const reasons = (await Promise.all(attempts)).map(({ reason }) => reason)
      assert.deepEqual(
        reasons,
        bad.map((name) => `no answer about ${name}`),
      )
    }
    assert.equal(looked.filter((name) => name !== 'good.example').length, 4)
  })

  it('truncates long failure reasons', async () => {
    const lookup = ((_name: string, _options: object, done: (error: Error) => void) =>
      done(new Error('x'.repeat(100_000)))) as unknown as typeof import('node:dns').lookup
    const isAllowed = deliveryRule(networks([]))
    const sender = atEnd.stop(createSender({ isAllowed, clock: Date.now, lookup }))
    assert.equal((await send(sender, 'https://a.example/')).reason, 'x'.repeat(300))
  })

  it('reads no more than the beginning of an endless answer, and doesn’t wait for the end of a slow one', async () => {
    const head = 'HTTP/1.1 200 OK\r\nContent-Length: 5000000000\r\n\r\n'
    let bytes = 0
    const endless = await rawReceiver((socket) => {
      socket.write(head)
      const chunk = Buffer.alloc(64 * 1024)
      const write = (): void => {
        do bytes += chunk.length
        while (!socket.closed && socket.write(chunk))
      }
      socket.on('drain', write)
      write()
    })
    const slow = await rawReceiver((socket) => socket.write(`${head}beginning`))
    const sender = newSender(['127.0.0.1'])
    for (const { url, sockets } of [endless, slow]) {
      assert.deepEqual(await send(sender, url), { status: 200, reason: null, retryAfter: undefined })
      await waitFor(() => sockets[0]?.closed)
    }
    assert.ok(bytes < 20_000_000, `${bytes} bytes were taken`)
  })

  it('retries if the receiver has closed an idle connection', async () => {
    let requests = 0
    const { url, sockets } = await rawReceiver((socket) =>
      socket.on('data', () => {
        // Closes the connection on its second request.
        if (++requests === 2) socket.resetAndDestroy()
        else socket.write('HTTP/1.1 204 No Content\r\n\r\n')
      }),
    )
    const sender = newSender(['127.0.0.1'])
    assert.deepEqual([(await send(sender, url)).status, (await send(sender, url)).status], [204, 204])
    assert.equal(sockets.length, 2)
  })
})
