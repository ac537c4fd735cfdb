import { setTimeout as pause } from 'node:timers/promises'
import { FolderTaken } from '../../shared/adapters/sqlite/file/folder-lock.main.ts'
import { relayOf } from '../../shared/runtime/settings/topic-names.ts'
import { directAdmin } from '../admin/operations.ts'
import { remoteAdmin } from '../admin/remote/client.ts'
import { hasSocket } from '../admin/remote/socket.ts'
import { CommandFailure } from '../exit.ts'
import { openDataFolder } from '../start/data-folder.ts'
import { checkPath, checkThatDataIsThere, inFolder } from '../start/usable-folder.ts'
import { sealingIn } from '../start/webhook-key.ts'
import type { FolderConfig } from './config.ts'

/** How long to wait for a Mint that is just starting, or another command that is just ending. */
const MAX_WAIT_MILLISECONDS = 5_000
const RETRY_MILLISECONDS = 100

/** Opens a folder's data, through the Mint that runs on it or directly. Throws CommandFailure and SettingsError. */
export async function openFolderTarget(config: FolderConfig) {
  const { folder } = config
  checkPath(folder)
  checkThatDataIsThere(folder)
  const giveUpAt = performance.now() + MAX_WAIT_MILLISECONDS
  for (;;) {
    try {
      return await inFolder(folder, () => openHere(config))
    } catch (error) {
      if (!(error instanceof FolderTaken)) throw error
    }
    if (hasSocket(folder)) return { admin: remoteAdmin(folder), close: async () => undefined }
    if (performance.now() > giveUpAt) {
      throw new CommandFailure(
        `Another process is using the folder ${folder} and can't be reached: if it is a \`mint\` command, wait until it ` +
          'has ended; a Mint that is older than this command must be stopped first.',
      )
    }
    await pause(RETRY_MILLISECONDS)
  }
}

async function openHere({ folder, webhookKey, webhooksByHttp }: FolderConfig) {
  const data = await openDataFolder(folder)
  const sealing = sealingIn(folder, webhookKey)
  const delivered = () => data.businesses.checkpoints.read(relayOf('businesses'))
  return {
    admin: directAdmin({ ...data, sealing, webhooksByHttp, relayRuns: false, relays: ['businesses'], delivered }),
    close: data.close,
  }
}
