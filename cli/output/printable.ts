/** What moves the cursor, changes colours or turns the direction of text around on a terminal, and ends of lines. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu

/**
 * A line that shows such characters as `\u001b` instead of obeying them: names and notes come from callers of the API. In
 * JSON, whose own escapes they become, the value stays the same.
 */
export const printableLine = (line: string): string =>
  line.replace(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The same for a text of several lines. */
export const printable = (text: string): string => text.split('\n').map(printableLine).join('\n')
