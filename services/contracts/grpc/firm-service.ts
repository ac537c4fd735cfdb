import { z } from 'zod'
import { CodedError } from '../../../shared/calls/errors.ts'
import { toCommandContext } from '../../../shared/event-sourcing/command-context.ts'
import { type HistoryEvent, pickFields } from '../../../shared/event-sourcing/history.ts'
import { doneOrThrow, type RejectionTable } from '../../../shared/event-sourcing/outcomes.ts'
import { validated } from '../../../shared/fields/check.ts'
import { rulesOf, type SameNames } from '../../../shared/fields/field-table.ts'
import { firmFields } from '../../../shared/fields/firm-fields.ts'
import { limit, offset } from '../../../shared/fields/lists.ts'
import { timestamp } from '../../../shared/fields/timestamp.ts'
import type {
  FirmEvent as EventMessage,
  FirmService,
  Firm as Message,
} from '../../../shared/gen/mint/contracts/v1/firm.ts'
import type { FirmRejection } from '../firm/decide.ts'
import type { FirmEvent } from '../firm/events.ts'
import { EMPTY_FIRM, type Firm } from '../firm/evolve.ts'
import type { FirmRecord } from '../firm/firm.ts'

const getFirmRequest = z.object({ asOf: timestamp.optional(), version: z.int().min(1).optional() })
const listFirmHistoryRequest = z.object({ limit, offset })
const editFirmRequest = z.object(rulesOf(firmFields, 'rule')).partial()

/** The errors that callers get for rejections. */
const firmRejections: RejectionTable<FirmRejection> = {
  'currency-fixed': ({ currency }) =>
    new CodedError(
      'currency_fixed',
      `The firm’s currency is ${currency}, and the amounts of its contracts are in it. It can be changed only while there is no contract.`,
    ),
}

/** mint.contracts.v1.FirmService. */
export function createFirmService(firm: FirmRecord): FirmService {
  return {
    async getFirm(request) {
      const { version, asOf } = validated(getFirmRequest, request)
      const found = await firm.read({ version, asOf })
      if (found === undefined) throw new CodedError('not_found', 'The firm’s record has no such version.')
      return { firm: toMessage(found) }
    },

    async listFirmHistory(request) {
      const { events, total } = await firm.history(validated(listFirmHistoryRequest, request))
      return { events: events.map(eventMessage), total }
    },

    async editFirm(request, context) {
      const changes = validated(editFirmRequest, request)
      const outcome = await firm.edit(changes, request.expectedVersions?.versions, toCommandContext(context))
      const done = doneOrThrow(outcome, firmRejections)
      return { firm: toMessage(done), replayed: done.replayed }
    },
  }
}

interface Found {
  readonly state: Firm & SameNames<Firm, Omit<Message, 'version'>>
  readonly version: number
}

const toMessage = ({ state, version }: Found): Message => ({ ...state, version })

function eventMessage({ version, by, event, before = EMPTY_FIRM }: HistoryEvent<Firm, FirmEvent>): EventMessage {
  const { type, at } = event
  const data = { ...event.data, updatedAt: at }
  return { version, type, at, by, data, before: pickFields(before, data) }
}
