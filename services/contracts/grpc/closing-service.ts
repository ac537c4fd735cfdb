import { z } from 'zod'
import { inDoubt } from '../../../shared/event-sourcing/append-until-known.ts'
import { toCommandContext } from '../../../shared/event-sourcing/command-context.ts'
import { doneOrThrow } from '../../../shared/event-sourcing/outcomes.ts'
import { calendarDate } from '../../../shared/fields/calendar-date.ts'
import { validated } from '../../../shared/fields/check.ts'
import { closingReason } from '../../../shared/fields/closing-fields.ts'
import { limit, offset } from '../../../shared/fields/lists.ts'
import type { ClosingService, Closing as Message } from '../../../shared/gen/mint/contracts/v1/closing.ts'
import type { Closings, RecordedClosing } from '../closing/closings.ts'

const setClosingRequest = z.object({ closedThrough: calendarDate.optional(), reason: closingReason })
const listClosingHistoryRequest = z.object({ limit, offset })

/** mint.contracts.v1.ClosingService. */
export function createClosingService(closings: Closings): ClosingService {
  const closingAt = async (version: number): Promise<Message | undefined> => {
    const closing = await closings.at(version)
    return closing && toMessage(closing)
  }
  return {
    getClosing: async () => ({ closing: await closingAt(await closings.currentVersion()) }),

    async setClosing(request, context) {
      const { closedThrough = null, reason } = validated(setClosingRequest, request)
      const expectedVersions = request.expectedVersions?.versions
      const outcome = await closings.set({ closedThrough, reason }, expectedVersions, toCommandContext(context))
      const { version, replayed } = doneOrThrow(outcome, {})
      // The closing was written, so a failure to read it must not look like a failed write.
      const closing = await closingAt(version).catch((error) => {
        throw inDoubt(error)
      })
      return { closing, replayed }
    },

    async listClosingHistory(request) {
      const page = await closings.history(validated(listClosingHistoryRequest, request))
      return { closings: page.closings.map(toMessage), total: page.total }
    },
  }
}

/** In the message, `closedThrough` is absent while the books are open. */
function toMessage({ closedThrough, ...closing }: RecordedClosing): Message {
  return { ...closing, ...(closedThrough !== null && { closedThrough }) }
}
