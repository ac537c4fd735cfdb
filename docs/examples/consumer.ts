// Prints changes in Mint, from its topics: `node consumer.ts`, on Node 24 with the package kafkajs. Skips messages that
// Mint has not signed, and those signed with a new key within 5 s of the last fetch. To miss nothing, set them aside.
import type { JsonWebKey } from 'node:crypto'
import { Kafka, type KafkaMessage, logLevel } from 'kafkajs'
import { isFromMint, type ReceivedMessage } from './verify-message.ts'

const { KAFKA_BROKERS = '127.0.0.1:9092', MINT_URL = 'http://127.0.0.1:8080' } = process.env
const { TOPICS = 'mint.businesses.v1,mint.contracts.v1', GROUP = 'example' } = process.env
/** In milliseconds. Limits fetches, since anybody can invent ids of keys. */
const BETWEEN_FETCHES = 5_000

let keys: readonly (JsonWebKey & { readonly kid: string })[] = []
let fetchedAt = Number.NEGATIVE_INFINITY

async function isSigned(message: ReceivedMessage): Promise<boolean> {
  if (isFromMint(message, keys)) return true
  if (performance.now() - fetchedAt < BETWEEN_FETCHES) return false
  const answer = await fetch(`${MINT_URL}/.well-known/mint-keys.json`)
  if (!answer.ok) throw new Error(`The keys can't be fetched now: ${answer.status}.`)
  ;({ keys } = (await answer.json()) as { keys: typeof keys })
  fetchedAt = performance.now()
  return isFromMint(message, keys)
}

async function handle({ key, headers, value }: KafkaMessage): Promise<void> {
  const message = { key, headers, value } as ReceivedMessage
  if (!(await isSigned(message))) return console.error(`not from Mint: ${key}`)
  console.log(`${headers?.ce_id} ${headers?.ce_type} ${key} ${value}`)
}

const consumer = new Kafka({ brokers: KAFKA_BROKERS.split(','), logLevel: logLevel.WARN }).consumer({ groupId: GROUP })
await consumer.connect()
await consumer.subscribe({ topics: TOPICS.split(','), fromBeginning: true })
// A message that fails is delivered again: its offset is committed only once it is handled.
await consumer.run({ eachMessage: ({ message }) => handle(message) })
