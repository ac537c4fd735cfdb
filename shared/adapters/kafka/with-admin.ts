import type { Admin, Kafka } from 'kafkajs'

/**
 * Asks the brokers something through a connection of its own, which learns anew who leads which partition: one that is
 * kept asks for up to five minutes whoever led before.
 */
export async function withAdmin<T>(kafka: Kafka, ask: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = kafka.admin()
  await admin.connect()
  try {
    return await ask(admin)
  } finally {
    await admin.disconnect()
  }
}
