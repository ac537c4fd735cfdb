import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Places that a secret must not be in, by what to call them. */
export type Places = ReadonlyMap<string, string | Buffer>

/** The files of a folder and those below it. */
export function filesIn(folder: string): Places {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => statSync(join(folder, name)).isFile())
  return new Map(files.map((name) => [name, readFileSync(join(folder, name))]))
}

/** Asserts that no place holds a secret, or what follows its prefix, as it is or in base64; hashes are allowed. */
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
