import type { EmbeddedConfig } from './config.ts'
import type { RunningStack } from './stack.ts'

/** What a person sees once Mint is ready. The key is in it only at the start that made it. */
export function announcement(stack: RunningStack, config: EmbeddedConfig): string {
  const { url, contractsAddress, businessesAddress, newKey } = stack
  const lines = [
    `Mint is ready on ${url}`,
    '',
    `  API key   ${keyLine(newKey, config.gateway.apiKey)}`,
    `  Data      ${config.dataFolder}`,
    `  gRPC      contracts ${contractsAddress}, businesses ${businessesAddress}`,
    '',
    ...(newKey === undefined ? ['See that it answers:'] : ['Create a contract:']),
    '',
    `  ${newKey === undefined ? `curl ${url}/healthz` : createContract(url, newKey)}`,
    '',
    'Stop it with Ctrl-C.',
    '',
  ]
  return lines.join('\n')
}

function keyLine(made: string | undefined, configured: string | undefined): string {
  if (made !== undefined) return `${made}  (shown this once: keep it)`
  if (configured !== undefined) return `${configured.slice(0, 8)}…  (from MINT_API_KEY)`
  return 'the one shown at the first start'
}

function createContract(url: string, key: string): string {
  const contract = {
    clientId: '11111111-1111-1111-1111-111111111111',
    serviceName: 'Annual accounts',
    serviceType: 'bookkeeping',
    serviceFee: 150,
    taxPercent: 13,
  }
  return [
    `curl ${url}/contracts`,
    `-H 'Authorization: Bearer ${key}'`,
    `-H 'Content-Type: application/json'`,
    `-d '${JSON.stringify(contract)}'`,
  ].join(' ')
}
