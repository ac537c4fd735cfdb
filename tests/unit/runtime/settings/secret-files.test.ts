import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { readRemoteGatewayConfig } from '../../../../gateway/remote-config.ts'
import { newFolder } from '../../../support/temporary-folder.ts'

const KEY = 'mint_0123456789abcdef'
const MONGO_URL = 'mongodb://mint:s3cret@127.0.0.1/'

const CONNECTION_STRING =
  'the connection string of a MongoDB replica set: mongodb://…; percent-encode @ and / in the password'

/** What every separate process needs. */
const REQUIRED = { SERVICE_SECRET: 'a-secret-of-the-suites' }

describe('A secret setting', () => {
  function fileWith(text: string): string {
    const path = `${newFolder()}/secret`
    writeFileSync(path, text)
    return path
  }

  const secretsOf = (environment: Record<string, string>) => {
    const { mongoUrl, mongoUrlFile, apiKey } = readRemoteGatewayConfig({ ...REQUIRED, ...environment })
    return { mongoUrl, mongoUrlFile, apiKey }
  }

  const linesOf = (environment: Record<string, string>): readonly string[] => {
    try {
      readRemoteGatewayConfig({ ...REQUIRED, ...environment })
      return []
    } catch (error) {
      return (error as { lines: readonly string[] }).lines
    }
  }

  it('is read from the file in its _FILE setting, without the trailing line break', () => {
    const mongoUrlFile = fileWith(`${MONGO_URL}\n`)
    const environment = { MONGO_URL_FILE: mongoUrlFile, MINT_API_KEY_FILE: fileWith(`${KEY}\r\n`) }
    assert.deepEqual(secretsOf(environment), { mongoUrl: MONGO_URL, mongoUrlFile, apiKey: KEY })
    assert.deepEqual(secretsOf({ MONGO_URL }), { mongoUrl: MONGO_URL, mongoUrlFile: undefined, apiKey: undefined })
  })

  it('prevents the start, in one line, if it is set twice or its file is unreadable or invalid', () => {
    const path = fileWith(KEY)
    const empty = fileWith('')
    const allowed = 'mint_ followed by 16 to 128 visible ASCII characters'
    const twice = { MONGO_URL, MINT_API_KEY: KEY, MINT_API_KEY_FILE: path }
    assert.deepEqual(linesOf(twice), ['MINT_API_KEY and MINT_API_KEY_FILE are both set; set one of them'])
    assert.deepEqual(linesOf({ MONGO_URL, MINT_API_KEY_FILE: '/nowhere/key' }), [
      "MINT_API_KEY_FILE=/nowhere/key can't be read (ENOENT: no such file or directory, open '/nowhere/key'); needed: a file that Mint may read",
    ])
    // It never ends.
    assert.deepEqual(linesOf({ MONGO_URL, MINT_API_KEY_FILE: '/dev/zero' }), [
      "MINT_API_KEY_FILE=/dev/zero can't be read (it is not a regular file); needed: a file that Mint may read",
    ])
    assert.deepEqual(linesOf({ MONGO_URL, MINT_API_KEY_FILE: empty }), [
      `MINT_API_KEY_FILE=${empty} has an invalid value; allowed: ${allowed}`,
    ])
    assert.deepEqual(linesOf({ MONGO_URL_FILE: path }), [
      `MONGO_URL_FILE=${path} has an invalid value; allowed: ${CONNECTION_STRING}`,
    ])
  })

  for (const password of ['p@ss', 'p/ss', 'p/s@s']) {
    it(`is refused as a connection string with the password ${password}, unless that is percent-encoded`, () => {
      const at = (text: string) => `mongodb://mint:${text}@one:27017,two:27017/mint?appName=a@b`
      const line = `MONGO_URL=(not shown) can't be used; allowed: ${CONNECTION_STRING}`
      assert.deepEqual(linesOf({ MONGO_URL: at(password) }), [line])
      assert.equal(
        secretsOf({ MONGO_URL: at(encodeURIComponent(password)) }).mongoUrl,
        at(encodeURIComponent(password)),
      )
    })
  }
})
