import assert from 'node:assert/strict'
import { createMetrics } from '../../shared/runtime/metrics/metrics.ts'
import { grpcTlsFiles } from '../../shared/runtime/settings/tls.ts'
import { type WatchedCertificates, watchCertificates } from '../../shared/runtime/tls/watch-certificates.ts'
import type { CertificateFiles } from './certificates.ts'
import { atEnd } from './cleanup.ts'
import { quietLogger } from './quiet-logger.ts'

const POLL_MILLISECONDS = 20

/** Watches files as a process does, but checks more often; stops at the test's end. With `ca`: mutual TLS. */
export async function watchedCertificates({
  cert,
  key,
  ca,
}: CertificateFiles & { readonly ca?: string }): Promise<WatchedCertificates> {
  const files = grpcTlsFiles({ GRPC_TLS_CERT_FILE: cert, GRPC_TLS_KEY_FILE: key, GRPC_TLS_CA_FILE: ca })
  const logger = quietLogger()
  const metrics = createMetrics(logger)
  const watched = await watchCertificates(files, { logger, metrics, atEnd, pollMilliseconds: POLL_MILLISECONDS })
  assert.ok(watched)
  return watched
}
