import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Texts that must not contain a secret, by a label for messages. */
export type Places = ReadonlyMap<string, string | Buffer>

/** The files in a folder and its subfolders. */
export function filesIn(folder: string): Places {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => statSync(join(folder, name)).isFile())
  return new Map(files.map((name) => [name, readFileSync(join(folder, name))]))
}

/** Asserts that no place contains a secret, with or without its prefix, as is or in base64; hashes are allowed. */
export function assertNoSecret(places: Places, secrets: readonly string[]): void {
  assert.ok(secrets.length > 0 && places.size > 0)
  const found = [...places].flatMap(([place, content]) =>
    secrets
      .flatMap((secret) => [
        secret.replace(/^mint_/, ''),
        Buffer.from(secret)
          .toString('base64')
          .replace(/.{0,2}=*$/, ''),
      ])
      .filter((form) => content.includes(form))
      .map((form) => `${form} is in ${place}`),
  )
  assert.deepEqual(found, [])
}
