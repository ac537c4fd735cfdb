import assert from 'node:assert/strict'
import {
  durationText,
  findingsOf,
  followersOf,
  replayText,
  type Service,
  type Status,
  summaryOf,
} from '../../../console/health/status.ts'

const service = (name: string, ...versions: readonly string[]): Service => ({
  name,
  problem: null,
  status: { engine: 'sqlite', position: 7, views: [], processes: versions.map((version) => ({ version, at: 'a/1' })) },
})

const aStatus = (changes: Partial<Status> = {}): Status => ({
  ready: true,
  missing: [],
  services: [service('gateway', '0.2.0'), service('contracts', '0.2.0', '0.2.0')],
  relay: null,
  unhandledMessages: 0,
  deadLetters: 0,
  topicProblems: [],
  contractsRelay: null,
  contractsTopicProblems: [],
  ...changes,
})

describe('Mint’s health in words', () => {
  it('says that it is ready, or what is missing', () => {
    assert.equal(summaryOf(aStatus()), 'Mint is ready.')
    const missing = ['contracts', 'businesses', 'the API keys']
    const why = 'Mint is not ready: contracts, businesses, and the API keys can’t be used now.'
    const next = 'cli/mint doctor checks disk, MongoDB and Kafka.'
    assert.equal(summaryOf(aStatus({ ready: false, missing })), `${why} ${next}`)
  })

  it('names services of unknown status, different versions, and messages set aside', () => {
    assert.deepEqual(findingsOf(aStatus()), [])
    const silent = { name: 'businesses', problem: 'No answer within 2 seconds.', status: null }
    const services = [service('gateway', '0.2.0'), service('contracts', '0.1.0', '0.2.0'), silent]
    assert.deepEqual(findingsOf(aStatus({ services, deadLetters: 2 })), [
      'The status of businesses is unknown: No answer within 2 seconds.',
      'Processes run different versions of Mint: 0.1.0 and 0.2.0.',
      '2 messages were set aside.',
    ])
    assert.deepEqual(findingsOf(aStatus({ deadLetters: 1 })), ['One message was set aside.'])
    assert.deepEqual(findingsOf(aStatus({ deadLetters: null })), [])
  })

  it('names the topic settings that can lose messages', () => {
    const topicProblems = ['retention.ms is 604800000, needed: -1']
    const expected = [
      'Changes to businesses can get lost on their way to Clients: retention.ms is 604800000, needed: -1.',
    ]
    assert.deepEqual(findingsOf(aStatus({ topicProblems })), expected)
    assert.deepEqual(findingsOf(aStatus({ topicProblems: null })), [])
    const contractsTopicProblems = ['cleanup.policy is compact, needed: delete']
    assert.deepEqual(findingsOf(aStatus({ contractsTopicProblems })), [
      'Changes to contracts can get lost on their way to programs that follow them: cleanup.policy is compact, needed: delete.',
    ])
  })

  it('names whatever is behind in terms that users know', () => {
    const lag = { position: 1, lagEvents: 5, lagSeconds: '1.5' }
    const views = ['contracts', 'closings', 'api_keys'].map((name) => ({ name, ...lag }))
    const { status } = service('contracts', '0.2.0')
    const services = [{ name: 'contracts', problem: null, status: status && { ...status, views } }]
    const names = ['Search and lists of contracts', 'Closing', 'API keys', 'Changes to businesses, sent to Clients']
    assert.deepEqual(
      followersOf(aStatus({ services, relay: lag, unhandledMessages: null })).map(({ name, lag }) => [
        name,
        lag?.lagEvents,
      ]),
      [...names.map((name) => [name, 5]), ['Changes to businesses, applied to Clients', undefined]],
    )
  })

  it('says how far changes to contracts are published, if they have a topic', () => {
    const lag = { position: 1, lagEvents: 5, lagSeconds: '1.5' }
    const named = 'Changes to contracts, published'
    const found = (contractsRelay: typeof lag | null) =>
      followersOf(aStatus({ contractsRelay })).find(({ name }) => name === named)?.lag
    assert.deepEqual(found(lag), lag)
    assert.equal(found(null), undefined)
  })

  it('does not change if only figures do', () => {
    const lagging = aStatus({ relay: { position: 1, lagEvents: 5, lagSeconds: '1.5' }, unhandledMessages: 3 })
    assert.deepEqual([summaryOf(lagging), findingsOf(lagging)], [summaryOf(aStatus()), findingsOf(aStatus())])
  })

  for (const [seconds, text] of [
    [0, 'none'],
    ['0.4', 'less than 1 s'],
    ['1.9', '1 sec'],
    [119, '119 sec'],
    [120, '2 min'],
    [7_199, '119 min'],
    [7_200, '2 hr'],
    [172_799, '47 hr'],
    [172_800, '2 days'],
  ] as const) {
    it(`shows a lag of ${seconds} seconds as ${text}`, () => assert.equal(durationText(seconds), text))
  }
})

describe('A replay in words', () => {
  it('counts the messages by their outcomes', () => {
    const outcomes = new Map([
      ['a', 'handled'],
      ['b', 'handled'],
      ['c', 'set_aside_again'],
    ])
    const expected = 'Replayed: 2 handled; 1 set aside again, as they still can’t be handled. One is left.'
    assert.equal(replayText(outcomes, 1), expected)
  })

  it('says so if there was nothing to replay', () => {
    assert.equal(replayText(new Map(), 0), 'Replayed: nothing. None are left.')
  })
})
