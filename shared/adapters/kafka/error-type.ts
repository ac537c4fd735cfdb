/** The brokers' error when a topic doesn't exist, or was just created and isn't known everywhere yet. */
export const UNKNOWN_TOPIC = 'UNKNOWN_TOPIC_OR_PARTITION'

/** Whether an error of the driver, or one that it wraps, has this type or name. */
export function hasType(error: unknown, type: string): boolean {
  if (!(error instanceof Error)) return false
  const { type: own, errors = [] } = error as { readonly type?: string; readonly errors?: readonly unknown[] }
  return own === type || error.name === type || [error.cause, ...errors].some((wrapped) => hasType(wrapped, type))
}
