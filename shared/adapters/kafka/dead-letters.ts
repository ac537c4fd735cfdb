import type { Kafka, KafkaMessage, Message } from 'kafkajs'
import { fits } from '../../event-sourcing/fits.ts'
import { type DeadLetter, type DeadLetters, identityOf } from '../../event-sourcing/ports/dead-letters.ts'
import type { KafkaClient } from './client.ts'
import { cut } from './cut-letter.ts'
import { fromKafkaMessage, headerText, toKafkaMessage } from './message-form.ts'
import { createPublisher } from './publisher.ts'
import { readWholeTopic } from './read-whole-topic.ts'

/**
 * Dead letters in a topic of their own: the message as it was, with the headers `mint_reason`, `mint_topic` and
 * `mint_at` added. `prepare` makes the topic, of one partition, so that the oldest comes first; one set aside twice is in
 * it twice and counts once. One that the topic refuses for its size is cut. A message without a value and with the
 * header `mint_settled` takes back the letter of that identity which was set aside at its `mint_at` (without that header,
 * as earlier versions wrote it: at any time).
 */
export function createKafkaDeadLetters(
  client: KafkaClient,
  topic: string,
  prepare: (kafka: Kafka) => Promise<void>,
): DeadLetters & { stop(): Promise<void> } {
  const publisher = createPublisher(client, topic, prepare)

  async function readAll(): Promise<DeadLetter[]> {
    await prepare(client.kafka)
    const letters = new Map<string, DeadLetter>()
    for (const message of await readWholeTopic(client.kafka, topic)) {
      const settled = headerText(message.headers ?? {}, 'mint_settled')
      if (settled !== '') {
        const at = headerText(message.headers ?? {}, 'mint_at')
        if (at === '' || letters.get(settled)?.at === Number(at)) letters.delete(settled)
        continue
      }
      const letter = toLetter(message)
      const identity = identityOf(letter)
      // Put in anew, so that it comes after those that were set aside before it.
      letters.delete(identity)
      letters.set(identity, letter)
    }
    return [...letters.values()]
  }

  return {
    async add(letter) {
      const whole = [fromLetter(letter)]
      // The first refusal has the topic prepared anew, for the case that larger messages are let onto the other one since.
      if (await fits(publisher.publish(whole))) return
      if (await fits(publisher.publish(whole))) return
      await publisher.publish([fromLetter(cut(letter))])
    },
    async remove(letter) {
      const headers = { mint_settled: identityOf(letter), mint_at: String(letter.at) }
      await publisher.publish([{ key: identityOf(letter), value: null, headers }])
    },
    async list(limit) {
      return (await readAll()).slice(0, limit)
    },
    async count() {
      return (await readAll()).length
    },
    stop: () => publisher.stop(),
  }
}

function fromLetter({ topic, message, reason, at }: DeadLetter): Message {
  const { headers, ...rest } = toKafkaMessage(message)
  const why = { mint_reason: reason, mint_topic: topic, mint_at: String(at) }
  return { ...rest, headers: { ...headers, ...why } }
}

function toLetter(message: KafkaMessage): DeadLetter {
  const headers = message.headers ?? {}
  return {
    topic: headerText(headers, 'mint_topic'),
    message: fromKafkaMessage(message),
    reason: headerText(headers, 'mint_reason'),
    at: Number(headerText(headers, 'mint_at')),
  }
}
