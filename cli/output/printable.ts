/** Characters that move the cursor, change colours or reverse the direction of text on a terminal, and line ends. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu

/**
 * Escapes such characters in a line as `\u001b`: names and notes come from callers of the API. In JSON that is an
 * escape too, so the value stays the same.
 */
export const printableLine = (line: string): string =>
  line.replace(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The same for a text of several lines. */
export const printable = (text: string): string => text.split('\n').map(printableLine).join('\n')
