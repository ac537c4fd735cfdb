/** The lines of a text, such as a log, that have something in them. */
export function linesWith(text: string, part: string): readonly string[] {
  return text.split('\n').filter((line) => line.includes(part))
}
