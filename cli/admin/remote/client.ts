import { once } from 'node:events'
import { connect } from 'node:net'
import { CommandFailure } from '../../exit.ts'
import type { Admin, ItemOf, OperationName } from '../operations.ts'
import type { Report } from '../report.ts'
import { linesOf } from '../transfer/lines.ts'
import type { AdminAnswer, AdminRequest } from './server.ts'
import { socketIn } from './socket.ts'

const DISCONNECTED =
  'The running Mint disconnected before it was done. Check that it still runs and has the version of this command, then try again.'

/** Runs operations in the Mint that runs on the folder. They throw CommandFailure. */
export function remoteAdmin(folder: string): Admin {
  return {
    async *run<Name extends OperationName>(operation: Name, input: unknown, report: Report) {
      using address = socketIn(folder)
      const socket = connect(address.path)
      try {
        await once(socket, 'connect').catch((cause) => {
          throw new CommandFailure(
            `Mint is running on ${folder}, but can't be reached (${cause.message}): run this command as the user ` +
              'that runs Mint.',
            { cause },
          )
        })
        socket.end(JSON.stringify({ operation, input } satisfies AdminRequest))
        for await (const line of linesOf(socket)) {
          const answer = JSON.parse(line) as AdminAnswer
          if (answer.type === 'end') return
          if (answer.type === 'failure') throw new CommandFailure(answer.message, { exitCode: answer.exitCode })
          if (answer.type === 'progress') report(...answer.progress)
          else yield answer.item as ItemOf<Name>
        }
        throw new CommandFailure(DISCONNECTED)
      } catch (cause) {
        throw cause instanceof CommandFailure ? cause : new CommandFailure(DISCONNECTED, { cause })
      } finally {
        socket.destroy()
      }
    },
  }
}
