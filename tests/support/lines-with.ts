/** The lines of a text, such as a log, that contain `part`. */
export function linesWith(text: string, part: string): readonly string[] {
  return text.split('\n').filter((line) => line.includes(part))
}
