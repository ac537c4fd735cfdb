import { completed } from '../format/fold.ts'

/** Completes what is typed at the end of an input, as spreadsheets do; typing on replaces it. Returns the new value. */
export function completeInput({ target, inputType }: InputEvent, inUse: readonly string[]): string {
  const input = target as HTMLInputElement
  const { length } = input.value
  const isTyped = inputType === 'insertText' && input.selectionStart === length
  const whole = isTyped ? completed(input.value, inUse) : undefined
  if (whole === undefined) return input.value
  input.value = whole
  input.setSelectionRange(length, whole.length)
  return whole
}
