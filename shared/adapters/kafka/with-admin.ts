import type { Admin, Kafka } from 'kafkajs'
import { TRIES_IN_FIVE_SECONDS } from './client.ts'
import { explained } from './problem.ts'

/**
 * Queries the brokers through a new connection, which learns the current partition leaders: an existing one may use old
 * leaders for up to five minutes. Waits while Kafka is unavailable; other failures, for example because the topic
 * doesn't exist, are retried for five seconds.
 */
export async function withAdmin<T>(kafka: Kafka, ask: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = kafka.admin({ retry: { retries: TRIES_IN_FIVE_SECONDS } })
  try {
    await admin.connect()
    return await ask(admin)
  } catch (error) {
    throw explained(error)
  } finally {
    await admin.disconnect()
  }
}
