import { restartWithOtherClock } from './clocks.ts'
import { closeInALull, closeWhileFrozen } from './closings.ts'
import type { FaultKind } from './fault.ts'
import { freezePrimary, killMongod, stepDown } from './mongods.ts'
import {
  cutContractsFromMongo,
  cutGatewayFromContracts,
  cutPrimaryFromMembers,
  cutPrimaryWithProcess,
  isolatePrimary,
} from './partitions.ts'
import {
  clockJump,
  freezeContracts,
  freezeGateway,
  killBusinesses,
  killContracts,
  killGateway,
  upgrade,
} from './processes.ts'

/** The faults that a long run chooses from. */
export const ALL_FAULTS: readonly FaultKind[] = [
  killContracts,
  killGateway,
  killBusinesses,
  killMongod,
  freezeContracts,
  freezeGateway,
  freezePrimary,
  stepDown,
  isolatePrimary,
  cutPrimaryFromMembers,
  cutPrimaryWithProcess,
  cutContractsFromMongo,
  cutGatewayFromContracts,
  clockJump,
  upgrade,
  closeInALull,
  closeWhileFrozen,
  restartWithOtherClock,
]

/** The most revealing ones, for a short run. */
export const SHORT_PLAN: readonly FaultKind[] = [
  killContracts,
  closeWhileFrozen,
  closeInALull,
  cutPrimaryWithProcess,
  freezePrimary,
  stepDown,
]
