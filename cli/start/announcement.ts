import { resolve } from 'node:path'
import { version } from '../../shared/runtime/this-process.ts'
import { printable, shellWord } from '../output/write.ts'
import type { EmbeddedConfig } from './config.ts'
import type { RunningStack } from './stack.ts'

/** The client in the example request while there are none yet. */
const ANY_CLIENT = '11111111-1111-1111-1111-111111111111'

/** What a person sees once Mint is ready: a new key, this once, and a request to paste, for an existing client. */
export function announcement(stack: RunningStack, config: EmbeddedConfig, clientId = ANY_CLIENT): string {
  const { addresses, newKey } = stack
  const { REST: url, contracts, businesses, metrics } = addresses
  const { host, apiKey, tlsFiles } = config.gateway
  const encryption = tlsFiles ? 'TLS' : 'plain HTTP'
  // curl accepts the certificate itself as its CA.
  const curl = tlsFiles ? `curl --cacert ${shellWord(String(tlsFiles.paths.TLS_CERT_FILE))}` : 'curl'
  const unused = config.unused.join(' or ')
  const others = 'separate processes do (see README.md, Configuration)'
  const notUsed = `It keeps all its data in its folder and does not use ${unused}: ${others}.`
  // A configured key is already in the shell's environment, and stays out of this output.
  const key = newKey ?? (apiKey === undefined ? undefined : '$MINT_API_KEY')
  const lines = [
    `Mint ${version} is ready on ${url}`,
    ...(host === '0.0.0.0' || host === '::'
      ? [`It listens on every address of this machine, over ${encryption}.`]
      : []),
    ...(unused ? [notUsed] : []),
    '',
    `  API key   ${keyLine(newKey, config)}`,
    `  Console   ${url}/console`,
    `  API docs  ${url}/docs`,
    `  Agents    ${url}/mcp  (with a key as bearer token: docs/agents.md)`,
    `  Data      ${resolve(config.dataFolder)}`,
    `  gRPC      contracts ${contracts}, businesses ${businesses}`,
    `  Metrics   ${metrics}`,
    '',
    ...(key === undefined
      ? ['Check that it answers:', '', `  ${curl} ${url}/healthz`]
      : ['Create a contract:', '', `  ${createContract(curl, url, key, clientId)}`]),
    '',
    'Stop it with Ctrl-C.',
    '',
  ]
  return printable(lines.join('\n'))
}

function keyLine(made: string | undefined, { gateway, dataFolder }: EmbeddedConfig): string {
  if (made !== undefined) return `${made}  (shown this once: keep it)`
  if (gateway.apiKey !== undefined) return 'the one in MINT_API_KEY, which has all scopes'
  const folder = resolve(dataFolder) === resolve('data') ? '' : `DATA_DIR=${shellWord(dataFolder)} `
  return `the one shown at the first start (lost? make another with \`${folder}cli/mint keys create Mine --scopes all\`, or set MINT_API_KEY)`
}

/** In double quotes, so that a shell expands a variable; a key made by Mint has no character that is special there. */
function createContract(curl: string, url: string, key: string, clientId: string): string {
  const service = { serviceName: 'Annual accounts', serviceType: 'bookkeeping', serviceFee: 150, taxPercent: 13 }
  const headers = `-H "Authorization: Bearer ${key}" -H 'Content-Type: application/json'`
  return `${curl} ${url}/contracts ${headers} -d '${JSON.stringify({ clientId, ...service })}'`
}
