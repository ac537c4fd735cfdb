import { Presets, SingleBar } from 'cli-progress'
import { newRequestId } from '../../../shared/calls/ids.ts'
import { BEGINNING } from '../../../shared/event-sourcing/event.ts'
import type { Contract } from '../../../shared/gen/mint/contracts/v1/contracts.ts'
import type { CalledServices } from '../../../shared/kinds/services.ts'
import type { Logger } from '../../../shared/runtime/log/logger.ts'
import { onInterrupt } from '../../exit.ts'
import type { DataFolder } from '../data-folder.ts'
import { startServices } from '../services.ts'
import { markAsIncomplete } from '../usable-folder.ts'
import { closeMonth } from './bookkeeping.ts'
import { type WorkingDay, workingDays } from './calendar.ts'
import { FIRM, type FirmClient, madeUpBusiness, madeUpContract, TAX_PERCENTS } from './firm.ts'
import { createRandom, type Random } from './random.ts'

const BUSINESSES = 200
const CONTRACTS = 5000
const DAYS = 3 * 365
/** How much busier the firm is at the end than at the beginning. */
const GROWTH = 1.6
/** One contract in this many is corrected later, and one business in this many renamed. */
const EDIT_ONE_IN = 12
const RENAME_ONE_IN = 20
const HOUR_MILLISECONDS = 60 * 60 * 1000
/** When the firm works, in UTC, and how long each step takes it. */
const OPENS_AT = 9 * HOUR_MILLISECONDS
const CLOSES_AT = 18 * HOUR_MILLISECONDS
const STEP_MILLISECONDS = 2 * 60 * 1000
const SEED = 1

/**
 * Fills empty databases with a made-up firm, through the services' own commands: every rule holds, and events, views and
 * clients come about as they always do. Only the clock is made up, so that history spans three years; the gateway does
 * not listen yet, so nobody else writes at those times. An interrupted demo can't be used. Does nothing if there is data.
 */
export async function fillWithDemo(folder: string, data: DataFolder, logger: Logger): Promise<void> {
  const heads = await Promise.all([data.contracts.events.head(), data.businesses.events.head()])
  if (heads.some((head) => head !== BEGINNING)) {
    console.log('DATA_DIR already holds data, the demo or other, and stays as it is: the demo needs an empty one.\n')
    return
  }
  const format = 'Filling with a demo {bar} {value}/{total}'
  const bar = new SingleBar({ format, gracefulExit: false }, Presets.shades_classic)
  using _interrupted = onInterrupt(() => {
    bar.stop()
    console.log('\nInterrupted before the demo was complete: remove the folder, and start again.')
  })
  const complete = markAsIncomplete(folder, 'demo')
  // Advances by minutes with every reading, within the day.
  const hours = { now: 0, end: 0 }
  const clock = (): number => {
    hours.now = Math.min(hours.now + STEP_MILLISECONDS, hours.end)
    return hours.now
  }
  const services = await startServices({ data, clock, requireKnownClient: false, nameOf: async () => null, logger })
  bar.start(BUSINESSES + CONTRACTS, 0)
  try {
    await fill(services, hours, (count) => bar.increment(count))
    complete()
  } finally {
    await services.stop()
    bar.stop()
  }
}

/** The commands of one day are sent concurrently, so that they are committed together. */
async function fill(services: CalledServices, hours: { now: number; end: number }, onMade: (count: number) => void) {
  const random = createRandom(SEED)
  const days = workingDays(Date.now(), DAYS)
  const work = days.map(({ busyness }, index) => busyness * (1 + ((GROWTH - 1) * index) / days.length))
  const allWork = work.reduce((sum, one) => sum + one, 0)
  const clients: FirmClient[] = []
  const contracts: Contract[] = []
  let done = 0
  for (const [index, day] of days.entries()) {
    Object.assign(hours, { now: day.start + OPENS_AT, end: day.start + CLOSES_AT })
    const { closedThrough } = day
    const before = days[index - 1]?.closedThrough ?? closedThrough
    if (closedThrough !== before) await closeMonth(services, random, { closedThrough, entered: contracts })
    // Half of them are there from the first day, the others come evenly.
    const businesses = Math.round((BUSINESSES / 2) * (1 + (index + 1) / days.length))
    const firstBusiness = clients.length + 1
    const newClients = await times(businesses - clients.length, (i) =>
      makeBusiness(services, random, firstBusiness + i),
    )
    clients.push(...newClients)
    if (index === 0) await services.firm.editFirm(FIRM, asDemo())
    done += work[index] ?? 0
    const toMake = Math.round((CONTRACTS * done) / allWork) - contracts.length
    const newContracts = await times(toMake, () => makeContract(services, random, { clients, day }))
    contracts.push(...newContracts)
    onMade(newClients.length + newContracts.length)
  }
}

async function makeBusiness({ businesses }: CalledServices, random: Random, number: number): Promise<FirmClient> {
  const request = madeUpBusiness(random, number)
  const taxPercent = random.pick(TAX_PERCENTS)
  const { id, clientId } = made((await businesses.createBusiness(request, asDemo())).business)
  if (number % RENAME_ONE_IN === 0) {
    const operatedAs = `${request.operatedAs} Group`
    await businesses.editBusiness({ id, operatedAs }, asDemo())
  }
  return { clientId, taxPercent }
}

async function makeContract(
  { contracts }: CalledServices,
  random: Random,
  { clients, day }: { clients: readonly FirmClient[]; day: WorkingDay },
): Promise<Contract> {
  const client = random.pick(clients)
  const correct = random.between(1, EDIT_ONE_IN) === 1
  const request = madeUpContract(random, client, day)
  const contract = made((await contracts.createContract(request, asDemo())).contract)
  if (!correct) return contract
  const lower = String(Math.round(Number(contract.serviceFee) * 0.9))
  const edit = { id: contract.id, serviceFee: lower, notes: 'Fee corrected.' }
  return made((await contracts.editContract(edit, asDemo())).contract)
}

const asDemo = () => ({ actor: 'demo', requestId: newRequestId() })

function made<Kept>(record: Kept | undefined): Kept {
  if (!record) throw new Error('a record of the demo was not made')
  return record
}

const times = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))
