// Says in one line what the tour needs, before other tools fail with a stack trace.
const { MINT_URL: url = 'http://127.0.0.1:8080', MINT_API_KEY: key } = process.env

const missing = key ? await whyRefused(key) : 'Set MINT_API_KEY to the key that `npm start` printed.'
if (missing !== undefined) {
  console.error(missing)
  process.exitCode = 1
}

/** Why this key can't be used for the tour; undefined if it can. */
async function whyRefused(key: string): Promise<string | undefined> {
  let answer: Response
  try {
    answer = await fetch(new URL('/clients?limit=1', url), { headers: { Authorization: `Bearer ${key}` } })
  } catch {
    return `No Mint answers at ${url}: start one with \`npm start\`, or set MINT_URL to where it listens.`
  }
  if (answer.ok) return undefined
  const { detail = `status ${answer.status}` } = (await answer.json().catch(() => ({}))) as { detail?: string }
  return `The Mint at ${url} refuses MINT_API_KEY: ${detail}`
}
