import { MongoServerError, MongoServerSelectionError } from 'mongodb'
import { tlsProblem } from '../../tls/tls-problem.ts'

const SETTINGS = {
  ca: 'tlsCAFile in MONGO_URL',
  address: 'the host in MONGO_URL',
  certificate: 'tlsCertificateKeyFile in MONGO_URL',
  tls: 'tls in MONGO_URL',
}

/** The server's codes (https://www.mongodb.com/docs/manual/reference/error-codes/) for a user that it refuses. */
export const UNAUTHORIZED = 13
export const AUTHENTICATION_FAILED = 18

/** Which setting to fix, in words; undefined when MongoDB is merely unavailable. */
export function mongoProblem(error: unknown): string | undefined {
  if (error instanceof MongoServerError) {
    if (error.code === AUTHENTICATION_FAILED)
      return 'it refuses the user; check user, password and authSource in MONGO_URL'
    if (error.code === UNAUTHORIZED) return 'the user in MONGO_URL lacks rights; give it readWrite on its database'
  }
  return tlsProblem(error, SETTINGS)
}

/** The same for a failed first connection, where one closed by the server at once reveals more. */
export function firstProblem(error: unknown): string | undefined {
  const problem = mongoProblem(error)
  if (problem !== undefined || !(error instanceof MongoServerSelectionError)) return problem
  return /connection .* closed/.test(error.message)
    ? 'it closed the connection at once; check tls and tlsCertificateKeyFile in MONGO_URL'
    : undefined
}
