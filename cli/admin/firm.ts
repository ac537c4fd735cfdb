import type { FirmFields } from '../../services/contracts/firm/events.ts'
import { createFirm } from '../../services/contracts/firm/firm.ts'
import { firmRejections } from '../../services/contracts/grpc/firm-service.ts'
import { createReportClock } from '../../services/contracts/report/report-clock.ts'
import { doneOrThrow } from '../../shared/event-sourcing/outcomes.ts'
import { cliContext, type Parts } from './parts.ts'

/** The firm's record. */
export interface ShownFirm extends FirmFields {
  readonly version: number
  /** RFC 3339; null before the first edit. */
  readonly updatedAt: string | null
}

/** The record as it is. */
export async function* showFirm(parts: Parts, _input: object): AsyncGenerator<ShownFirm> {
  const { state, version } = await firmOf(parts).now()
  yield { ...state, version, updatedAt: version === 0 ? null : new Date(state.updatedAt).toISOString() }
}

/** Sets some of its fields. */
export async function* setFirm(parts: Parts, changes: Partial<FirmFields>): AsyncGenerator<ShownFirm> {
  doneOrThrow(await firmOf(parts).edit(changes, undefined, cliContext()), firmRejections)
  yield* showFirm(parts, {})
}

const firmOf = ({ contracts }: Parts) => createFirm(contracts, createReportClock(Date.now, contracts))
