import assert from 'node:assert/strict'

/** Asserts that nothing is in a list of what is wrong; says what is. */
export const assertNone = (wrong: readonly unknown[]): void => assert.deepEqual(wrong, [])
