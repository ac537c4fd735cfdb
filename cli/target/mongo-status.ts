import { type ConnectedProcess, ownersOf } from '../../shared/adapters/mongo/connection/connected-processes.ts'
import { openMongoStatus } from '../../shared/adapters/mongo/status.ts'
import type { ServicePart } from '../../shared/kinds/kind.ts'
import { relayOf } from '../../shared/runtime/settings/topic-names.ts'
import { openParts, PART_NAMES, type ProcessStatus } from '../admin/parts.ts'
import { behind, type Status } from '../admin/status.ts'
import type { MongoConfig } from './config.ts'
import { checkThatDataIsThere, topicProblems, unhandledMessages } from './mongo-target.ts'

/** Changes nothing, and opens no database, which would upgrade its format to this version's. Throws CommandFailure. */
export async function mongoStatus(config: MongoConfig): Promise<Status> {
  const { url, namespace } = config
  await checkThatDataIsThere(url, namespace)
  const databases = await openParts((part) => openMongoStatus(url, `${namespace}_${part}`))
  try {
    const { businesses, contracts } = databases
    const logs = await Promise.all(
      PART_NAMES.map(async (part) => ({
        part,
        position: await databases[part].head(),
        isImportUnfinished: await databases[part].isImportUnfinished(),
        // Each process has its own views, and shows in its metrics how far they are.
        views: [],
      })),
    )
    const statusOfRelay = async (part: ServicePart) => {
      const { isHeld, position } = await databases[part].lease(relayOf(part))
      return { isAtWork: isHeld, behind: behind(logs.find((log) => log.part === part)?.position, position) }
    }
    const connected = await businesses.processes()
    const problemsOf = async (part: ServicePart) => {
      const found = (await topicProblems(config, part)).map(({ problems }) => problems)
      return found.includes(undefined) ? null : found.flatMap((problems = []) => problems)
    }
    const [unhandled = null, businessesProblems, contractsProblems] = await Promise.all([
      unhandledMessages(config),
      problemsOf('businesses'),
      problemsOf('contracts'),
    ])
    return {
      processes: connected ? processesOf(namespace, connected) : null,
      logs,
      relay: await statusOfRelay('businesses'),
      contractsRelay: await statusOfRelay('contracts'),
      unhandledMessages: unhandled,
      topicProblems: businessesProblems,
      contractsTopicProblems: contractsProblems,
      deadLetters: await contracts.countDeadLetters(),
    }
  } finally {
    await databases.close()
  }
}

function processesOf(namespace: string, connected: readonly ConnectedProcess[]): readonly ProcessStatus[] {
  return PART_NAMES.flatMap((name) =>
    ownersOf(`${namespace}_${name}`, connected).map(({ version = null, at = null }) => ({ name, version, at })),
  )
}
