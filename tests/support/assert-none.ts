import assert from 'node:assert/strict'

/** Asserts that a list of problems is empty; the failure message lists them. */
export const assertNone = (wrong: readonly unknown[]): void => assert.deepEqual(wrong, [])
