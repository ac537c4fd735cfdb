import { status as grpcStatus, Metadata, type ServiceError, type StatusObject } from '@grpc/grpc-js'
import { CodedError, type ErrorCode, RefusedBefore, shownViolations } from '../calls/errors.ts'
import { BadRequest, ErrorInfo } from '../gen/google/rpc/error_details.ts'
import { Status } from '../gen/google/rpc/status.ts'
import { asBuffer } from './bytes.ts'

const DOMAIN = 'mint'
const DETAILS_KEY = 'grpc-status-details-bin'
/** Most gRPC implementations accept 8,192 bytes of trailers, in which these are sent as base64. */
const MAX_VIOLATION_BYTES = 5_000
const TYPE_URL = 'type.googleapis.com/google.rpc.'

/** For callers that know only gRPC's own codes; Mint's callers read ErrorInfo.reason instead. */
const GRPC_STATUS: Readonly<Record<ErrorCode, grpcStatus>> = {
  missing_api_key: grpcStatus.UNAUTHENTICATED,
  invalid_api_key: grpcStatus.UNAUTHENTICATED,
  insufficient_scope: grpcStatus.PERMISSION_DENIED,
  rate_limited: grpcStatus.RESOURCE_EXHAUSTED,
  validation_failed: grpcStatus.INVALID_ARGUMENT,
  not_found: grpcStatus.NOT_FOUND,
  precondition_failed: grpcStatus.FAILED_PRECONDITION,
  idempotency_key_reused: grpcStatus.ALREADY_EXISTS,
  period_closed: grpcStatus.FAILED_PRECONDITION,
  currency_fixed: grpcStatus.FAILED_PRECONDITION,
  proposal_ended: grpcStatus.FAILED_PRECONDITION,
  too_many_proposals: grpcStatus.FAILED_PRECONDITION,
  too_many_webhooks: grpcStatus.FAILED_PRECONDITION,
  unavailable: grpcStatus.UNAVAILABLE,
  outcome_unknown: grpcStatus.UNKNOWN,
  internal_error: grpcStatus.INTERNAL,
}

/** A coded error as gRPC sends it: its status with a google.rpc.Status in the trailer. */
export function toGrpcStatus(error: CodedError): StatusObject {
  const metadata = new Metadata()
  metadata.set(DETAILS_KEY, toStatusBytes(error))
  return { code: GRPC_STATUS[error.code], details: error.message, metadata }
}

/** A coded error as a google.rpc.Status. */
export function toStatusBytes(error: CodedError): Buffer {
  const code = GRPC_STATUS[error.code]
  const metadata: Record<string, string> = error instanceof RefusedBefore ? { refusals: `${error.refusals}` } : {}
  const details = [packed('ErrorInfo', ErrorInfo.encode({ reason: error.code, domain: DOMAIN, metadata }).finish())]
  if (error.violations.length > 0) {
    const fieldViolations = shownViolations(error.violations, MAX_VIOLATION_BYTES).map(
      ({ pointer, code, message }) => ({ field: pointer, description: message, reason: code }),
    )
    details.push(packed('BadRequest', BadRequest.encode({ fieldViolations }).finish()))
  }
  return asBuffer(Status.encode({ code, message: error.message, details }).finish())
}

/**
 * The coded error that a Mint service returned; undefined when the error comes from elsewhere (the connection, a
 * deadline, a proxy in between).
 */
export function fromGrpcStatus(error: ServiceError): CodedError | undefined {
  const bytes = error.metadata?.get(DETAILS_KEY)[0]
  return bytes instanceof Buffer ? toCodedError(Status.decode(bytes), error) : undefined
}

/** Converts a google.rpc.Status to the coded error of a Mint service, or else to gRPC's own error. */
export function fromStatusBytes(bytes: Uint8Array): CodedError | ServiceError {
  const status = Status.decode(bytes)
  return toCodedError(status, undefined) ?? serviceError(status.code, status.message)
}

/** A google.rpc.Status with one of gRPC's own codes, for a call that can't be handled. */
export const refusalBytes = (code: grpcStatus, message: string): Buffer =>
  asBuffer(Status.encode({ code, message, details: [] }).finish())

/** An error in the form of grpc-js, for a call that ends without an answer. */
export function serviceError(code: grpcStatus, details: string): ServiceError {
  return Object.assign(new Error(details), { code, details, metadata: new Metadata() })
}

function toCodedError(status: Status, cause: unknown): CodedError | undefined {
  const info = unpacked(status, 'ErrorInfo', ErrorInfo)
  if (info?.domain !== DOMAIN || !isErrorCode(info.reason)) return undefined
  if (info.metadata?.refusals !== undefined) return new RefusedBefore(Number(info.metadata.refusals))
  const violations = unpacked(status, 'BadRequest', BadRequest)?.fieldViolations ?? []
  return new CodedError(info.reason, status.message, {
    violations: violations.map(({ field, reason, description }) => ({
      pointer: field,
      code: reason,
      message: description,
    })),
    cause,
  })
}

function packed(type: string, bytes: Uint8Array) {
  return { typeUrl: TYPE_URL + type, value: asBuffer(bytes) }
}

function unpacked<T>(status: Status, type: string, message: { decode(bytes: Uint8Array): T }): T | undefined {
  const any = status.details.find((detail) => detail.typeUrl === TYPE_URL + type)
  return any && message.decode(any.value)
}

function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(GRPC_STATUS, text)
}
