import assert from 'node:assert/strict'
import { deliveryRule, networks } from '../../../gateway/webhooks/addresses.ts'

const isAllowed = deliveryRule(networks([]))

/** As the URL class normalises it. */
const hostOf = (host: string): string => new URL(`https://${host}/`).hostname.replace(/^\[|\]$/g, '')

describe('The address that webhooks deliver to', () => {
  it('is never a loopback, private, link-local, carrier-grade NAT, multicast or metadata address, in any spelling', () => {
    const hosts = [
      ...['127.0.0.1', '127.1', '0x7f.1', '2130706433', '017700000001', '127.255.255.254', '0.0.0.0', '0'],
      ...['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', '100.100.100.200'],
      ...['169.254.169.254', '168.63.129.16', '192.0.0.192', '224.0.0.1', '239.1.2.3', '255.255.255.255', '240.0.0.1'],
      ...['192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1'],
      ...['[::1]', '[::]', '[::ffff:10.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:ffff:a00:1]', '[fe80::1]', '[fc00::1]'],
      ...['[fd00:ec2::254]', '[ff02::1]', '[64:ff9b::7f00:1]', '[64:ff9b::a00:1]', '[2002:7f00:1::]', '[2001::1]'],
      ...['[2001:db8::1]', '[::127.0.0.1]', '[fec0::1]', '[3fff::1]', '[100::1]'],
    ]
    assert.deepEqual(
      hosts.map(hostOf).filter((host) => isAllowed(host, 'https:')),
      [],
    )
  })

  it('may be any other address, over https only', () => {
    const hosts = ['1.1.1.1', '172.32.0.1', '100.128.0.1', '192.0.1.1', '223.255.255.255', '[2606:4700::1111]']
    assert.deepEqual(
      hosts.map(hostOf).filter((host) => !isAllowed(host, 'https:')),
      [],
    )
    assert.deepEqual(
      hosts.map(hostOf).filter((host) => isAllowed(host, 'http:')),
      [],
    )
    assert.equal(isAllowed(hostOf('[::ffff:1.1.1.1]'), 'https:'), true)
    assert.equal(isAllowed('localhost', 'https:'), false)
  })

  it('may be an allowed network, also over http', () => {
    const isAllowed = deliveryRule(networks(['127.0.0.0/8', '10.1.2.3', 'fd00::/8']))
    const named = ['127.0.0.1', '[::ffff:127.0.0.1]', '10.1.2.3', '[fd00::1]']
    assert.deepEqual(
      named.map(hostOf).filter((host) => !isAllowed(host, 'http:') || !isAllowed(host, 'https:')),
      [],
    )
    const others = ['10.1.2.4', '[::1]', '192.168.0.1']
    assert.deepEqual(
      others.map(hostOf).filter((host) => isAllowed(host, 'https:')),
      [],
    )
    assert.deepEqual([isAllowed('1.1.1.1', 'http:'), isAllowed('1.1.1.1', 'https:')], [false, true])
  })
})
