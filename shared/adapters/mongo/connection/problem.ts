import { MongoServerError, MongoServerSelectionError, type ServerDescription, type TopologyDescription } from 'mongodb'
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

/** The same for a failed first connection, for which the driver's view of the servers says more. */
export function connectProblem(error: unknown): string | undefined {
  const problem = mongoProblem(error)
  if (problem !== undefined || !(error instanceof MongoServerSelectionError)) return problem
  if (/connection .* closed/.test(error.message)) {
    return 'it closed the connection at once; check tls and tlsCertificateKeyFile in MONGO_URL'
  }
  const { setName, servers } = error.reason as TopologyDescription
  // The driver drops servers that belong to another replica set, or to none.
  if (setName && servers.size === 0) return `no server is a member of ${setName}; check replicaSet in MONGO_URL`
  const found = [...servers.values()]
  if (found.some(({ type }) => type === 'RSGhost')) {
    return 'its replica set is not initiated; run rs.initiate() on the host in MONGO_URL'
  }
  const unknown = found.find(isUnresolved)
  return unknown && `no address is known for ${unknown.address}; check the hosts in MONGO_URL and of the replica set`
}

function isUnresolved({ error }: ServerDescription): boolean {
  return (error?.cause as NodeJS.ErrnoException | undefined)?.syscall === 'getaddrinfo'
}
