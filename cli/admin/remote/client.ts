import { credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js'
import { AdminServiceClient } from '../../../shared/gen/mint/admin/v1/admin.ts'
import { CommandFailure, type ExitCode } from '../../exit.ts'
import type { Admin, ItemOf, OperationName } from '../operations.ts'
import type { Message } from '../running.ts'
import type { AdminAccess } from './access-file.ts'
import { EXIT_CODE_KEY, TOKEN_KEY } from './wire.ts'

const OPTIONS = {
  // A record's history is as long as it is.
  'grpc.max_receive_message_length': -1,
  'grpc.enable_retries': 0,
}

/** Has operations run by the Mint that runs. They throw CommandFailure. */
export function remoteAdmin({ address, token }: AdminAccess): Admin & { close(): void } {
  const client = new AdminServiceClient(address, credentials.createInsecure(), OPTIONS)
  return {
    async *run<Name extends OperationName>(operation: Name, input: unknown) {
      const metadata = new Metadata()
      metadata.set(TOKEN_KEY, token)
      const call = client.run({ operation, arguments: JSON.stringify(input) }, metadata)
      try {
        for await (const { message } of call) yield JSON.parse(message) as Message<ItemOf<Name>>
      } catch (error) {
        throw toFailure(error as ServiceError)
      } finally {
        call.cancel()
      }
    },
    close: () => client.close(),
  }
}

function toFailure(error: ServiceError): Error {
  if (error.code === status.UNAVAILABLE) {
    return new CommandFailure(
      'The running Mint went away before it was done: look whether it still runs, and try again.',
    )
  }
  const exitCode = error.metadata?.get(EXIT_CODE_KEY)[0]
  if (exitCode === undefined) return new CommandFailure(`The running Mint answered: ${error.details}`, { cause: error })
  return new CommandFailure(error.details, { exitCode: Number(exitCode) as ExitCode, cause: error })
}
