/**
 * A number exactly as the API wrote it: text unless it is an integer that JavaScript represents exactly. `String` gives
 * its digits in either case.
 */
export type ExactNumber = number | string

/** Values as `parseJson` makes them. */
// biome-ignore lint/suspicious/noExplicitAny: whatever the API answers; the OpenAPI document says what
export type Json = any

/** A record of the API, by field. */
export type RecordJson = Readonly<Record<string, Json>>

/** Parses JSON without losing a digit: 21.639175000000000001 becomes text. */
export function parseJson(text: string): Json {
  return JSON.parse(text, (_name, value, context?: { readonly source?: string }) => {
    if (typeof value !== 'number') return value
    const source = context?.source ?? String(value)
    return /^-?\d+$/.test(source) && Number.isSafeInteger(value) ? value : source
  })
}

/** A number for `JSON.stringify` that keeps its digits. */
export function exactNumber(text: string): unknown {
  const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown }
  return rawJSON ? rawJSON(text) : Number(text)
}
