/** Milliseconds since the epoch → `2026-01-31T09:30:00.000Z`. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
