import { setTimeout as pause } from 'node:timers/promises'

/**
 * Waits until a condition returns something truthy, and returns that. Fails after `timeout` milliseconds (45 s by
 * default, as the machine may be busy) with what was waited for and the condition's last error.
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  { timeout = 45_000, what = 'a condition', every = 10 }: { timeout?: number; what?: string; every?: number } = {},
): Promise<NonNullable<T>> {
  const end = Date.now() + timeout
  let lastError: unknown
  do {
    try {
      const result = await condition()
      if (result) return result
      lastError = undefined
    } catch (error) {
      lastError = error
    }
    await pause(every)
  } while (Date.now() < end)
  throw new Error(`waited ${timeout} ms in vain for ${what}`, { cause: lastError })
}
