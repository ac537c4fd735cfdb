import type { z } from 'zod'
import { ExactNumber } from './exact-number.ts'

/** Stable codes for what can be wrong with a value. Part of the API, so never renamed. */
export const VIOLATION_CODES = [
  'required',
  'unknown_field',
  'computed_field',
  'wrong_type',
  'blank',
  'too_long',
  'invalid_characters',
  'invalid_id',
  'invalid_uuid',
  'invalid_date',
  'invalid_timestamp',
  'invalid_email',
  'invalid_time_zone',
  'invalid_url',
  'invalid_number',
  'out_of_range',
  'too_many_decimals',
  'not_allowed',
  'given_twice',
  'not_together',
  'malformed_header',
  'invalid_encoding',
  'unknown_client',
  'ambiguous_client',
  'business_id',
  'unknown_cursor',
  'too_many_matches',
  'malformed_csv',
  'too_many_rows',
  'period_closed',
] as const

export type ViolationCode = (typeof VIOLATION_CODES)[number]

/** Reports a broken rule from within a zod check, with its stable code. */
export function violate(context: z.core.$RefinementCtx, code: ViolationCode, message: string): void {
  context.addIssue({ code: 'custom', message, params: { violation: code } })
}

/** The message for a value that is missing or of another type; `expected` completes "give …". */
export function typeMessage(expected: string): (issue: { readonly input?: unknown }) => string {
  return (issue) =>
    issue.input === undefined
      ? `Required, but missing. Give ${expected}.`
      : `${issue.input === null ? 'null' : capitalised(describeType(issue.input))} is not accepted here. Give ${expected}.`
}

/** 1000000 → `1,000,000`, for messages. (Node loads 8 MB in 20 ms for the first toLocaleString.) */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}

function describeType(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a number this large'
  if (value instanceof ExactNumber) return 'a number'
  if (typeof value === 'object') return 'an object'
  return `a ${typeof value}`
}

/** The source of a pattern for a whole text, to be part of another one. */
export function withoutAnchors({ source }: RegExp): string {
  return source.slice(1, -1)
}

/** With an upper-case first letter. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
