import { html, type TemplateResult } from 'lit-html'
import { createFingerprint } from '../csv/fingerprint.ts'
import type { PageContext } from '../frame/page.ts'
import { createSending } from '../frame/sending.ts'
import { businessesNamed } from './missing-clients.ts'

/** How often it is asked whether a new client is known where contracts are, and the pause between, in milliseconds. */
const [TRIES, PAUSE] = [30, 300]

/** Offers to create the clients that a file names and Mint doesn't know. `created` is called once they are there. */
export function createMissingClients(context: PageContext, created: () => void) {
  const { api, signal } = context
  const sending = createSending(context)

  async function create(names: readonly string[]): Promise<void> {
    const text = businessesNamed(names)
    const headers = { 'Content-Type': 'text/csv', 'Idempotency-Key': `import-clients-${await nameOf(text)}` }
    await api.request('POST', 'businesses.csv', { headers, body: new Blob([text]), signal })
    // They become known in the order in which they were created.
    for (let tries = 0; tries < TRIES && !(await isKnown(names.at(-1) ?? '')); tries++) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE))
    }
    created()
  }

  async function isKnown(name: string): Promise<boolean> {
    const { body } = await api.get('clients', { query: { search: name, limit: 1 }, signal })
    return body.total > 0
  }

  return (names: readonly string[]): TemplateResult => html`<div class="warning">
    <p>${names.length === 1 ? 'A client of the file isn’t in Mint yet' : `${names.length} clients of the file aren’t in Mint yet`}:
      ${names.map((name, index) => html`${index === 0 ? '' : ', '}<bdi>${name}</bdi>`)}.</p>
    <p>If a name is only spelled otherwise than in Mint, correct it in the file. Otherwise create ${names.length === 1 ? 'the client' : 'these clients'} here; what else you know about them can be added later.</p>
    ${sending.view()}
    <button type="button" ?disabled=${sending.isRunning()} @click=${() => sending.run(() => create(names))}>
      ${sending.isRunning() ? 'Creating…' : names.length === 1 ? 'Create this client' : `Create these ${names.length} clients`}
    </button>
  </div>`
}

/** So that a second click creates nothing twice. */
async function nameOf(text: string): Promise<string> {
  const fingerprint = createFingerprint()
  for await (const _ of fingerprint.through(new Blob([text]).stream()));
  return fingerprint.text()
}
