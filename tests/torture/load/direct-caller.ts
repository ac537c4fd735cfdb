import { Client, credentials, Metadata, type ServiceError } from '@grpc/grpc-js'
import type { Closing } from '../../../shared/gen/mint/contracts/v1/closing.ts'
import { ClosingServiceService as closing } from '../../../shared/gen/mint/contracts/v1/closing.ts'
import { type Contract, ContractsServiceService as contracts } from '../../../shared/gen/mint/contracts/v1/contracts.ts'
import { fromGrpcStatus } from '../../../shared/rpc/status.ts'
import { type Answer, CALL_TIMEOUT, type Call, type Request } from './caller.ts'

/** Whether a contracts process answers this request directly, over gRPC. */
export const isOfferedDirectly = ({ method, path }: Request): boolean => methodOf(method, path) in METHODS

/** Calls contracts processes over gRPC, without a gateway or retries. Returns what a gateway would answer. */
export function directCallerOf(addresses: readonly string[], key: string): Call {
  const clients = addresses.map((address) => new Client(address, credentials.createInsecure(), FAST_RECONNECT))
  return (process, { method, path, body, headers = {} }) => {
    const { 'idempotency-key': commitId, 'if-match': ifMatch } = headers
    const metadata = new Metadata()
    metadata.set('authorization', `Bearer ${key}`)
    if (commitId !== undefined) metadata.set('mint-commit-id', commitId)
    const id = Number(path.split('/')[2] ?? Number.NaN)
    const expectedVersions = ifMatch && { versions: [Number(ifMatch.replaceAll('"', ''))] }
    const request = { ...asInProto(body), ...(id > 0 && { id }), ...(expectedVersions && { expectedVersions }) }
    // biome-ignore lint/suspicious/noExplicitAny: the types differ between methods
    const { path: name, requestSerialize, responseDeserialize } = METHODS[methodOf(method, path)] as any
    return new Promise((resolve) => {
      const answered = (error: ServiceError | null, answer?: Answered): void =>
        resolve(error ? failed(error) : succeeded(method, answer as Answered))
      const options = { deadline: Date.now() + CALL_TIMEOUT }
      clients[process]?.makeUnaryRequest(
        name,
        requestSerialize,
        responseDeserialize,
        request,
        metadata,
        options,
        answered,
      )
    })
  }
}

interface Answered {
  readonly contract?: Contract
  readonly closing?: Closing
}

const METHODS: Readonly<Record<string, object>> = {
  'GET /contracts/:id': contracts.getContract,
  'POST /contracts': contracts.createContract,
  'PATCH /contracts/:id': contracts.editContract,
  'GET /closing': closing.getClosing,
  'PUT /closing': closing.setClosing,
}

/** A process that was unreachable is retried immediately. */
const FAST_RECONNECT = { 'grpc.initial_reconnect_backoff_ms': 100, 'grpc.max_reconnect_backoff_ms': 500 }

const methodOf = (method: string, path: string): string => `${method} ${path.replace(/\/\d+$/, '/:id')}`

const asInProto = (body: object = {}): object =>
  Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => {
      return value === null ? [] : [[name, typeof value === 'number' ? `${value}` : value]]
    }),
  )

function succeeded(method: string, { contract, closing }: Answered): Answer {
  const status = method === 'POST' ? 201 : 200
  const record = contract
    ? { ...contract, createdAt: new Date(contract.createdAt).toISOString() }
    : { closedThrough: closing?.closedThrough ?? null, reason: closing?.reason ?? null }
  return { status, words: `${status}`, body: record, version: (contract ?? closing)?.version ?? 0 }
}

const STATUSES: Readonly<Record<string, number>> = {
  not_found: 404,
  precondition_failed: 412,
  period_closed: 409,
  rate_limited: 429,
  unavailable: 503,
  outcome_unknown: 503,
}

function failed(error: ServiceError): Answer {
  const code = fromGrpcStatus(error)?.code
  if (code === undefined) return { status: 'broken', words: 'broken' }
  const status = STATUSES[code] ?? 500
  return { status, words: `${status} ${code}`, body: { code }, version: Number.NaN }
}
