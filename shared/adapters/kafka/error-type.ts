/** The brokers' answer where there is no such topic, or one that was just made is not known everywhere. */
export const UNKNOWN_TOPIC = 'UNKNOWN_TOPIC_OR_PARTITION'

/** Whether an error of the driver, or one that it wraps, is this answer of the brokers, or has this name. */
export function hasType(error: unknown, type: string): boolean {
  if (!(error instanceof Error)) return false
  const { type: own, errors = [] } = error as { readonly type?: string; readonly errors?: readonly unknown[] }
  return own === type || error.name === type || [error.cause, ...errors].some((wrapped) => hasType(wrapped, type))
}
