import type { Admin, Kafka } from 'kafkajs'
import { TRIES_IN_FIVE_SECONDS } from './client.ts'
import { explained } from './problem.ts'

/**
 * Asks the brokers something through a connection of its own, which learns anew who leads which partition: one that is
 * kept asks for up to five minutes whoever led before. Waits while Kafka is away; what else fails, for example because there
 * is no such topic, is tried again for five seconds.
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
