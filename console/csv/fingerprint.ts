const [PRIME, OTHER_PRIME] = [0x9e3779b1, 0x85ebca77]

/**
 * Identifies the contents of a file by a text; its bytes are hashed as they pass through. Two multiplicative hashes of
 * 32 bits suffice to distinguish the files of one API key: Mint compares the bytes itself, and refuses another file under
 * the same name. crypto.subtle can't hash in pieces, and isn't available on a page served over plain HTTP.
 */
export function createFingerprint() {
  let [one, two, length] = [0x811c9dc5, 0x1b873593, 0]
  return {
    async *through(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const bytes of chunks) {
        for (const byte of bytes) {
          one = Math.imul(one ^ byte, PRIME)
          one = (one << 13) | (one >>> 19)
          two = Math.imul(two + byte + 1, OTHER_PRIME)
          two ^= two >>> 15
        }
        length += bytes.length
        yield bytes
      }
    },
    text: () => [one, two, length].map((part) => (part >>> 0).toString(16)).join('-'),
  }
}
