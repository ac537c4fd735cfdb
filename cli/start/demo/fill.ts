import { constants } from 'node:os'
import { Presets, SingleBar } from 'cli-progress'
import type { CallContext } from '../../../shared/call-context.ts'
import { BEGINNING } from '../../../shared/event-sourcing/event.ts'
import { newRequestId, randomCommitId } from '../../../shared/ids.ts'
import type { Logger } from '../../../shared/logger.ts'
import type { DataFolder } from '../data-folder.ts'
import { type Services, startServices } from '../services.ts'
import { madeUpBusiness, madeUpContract, madeUpFee } from './firm.ts'
import { createRandom, type Random } from './random.ts'
import { markFinished, markUnfinished } from './unfinished.ts'

const BUSINESSES = 200
const CONTRACTS = 5000
const DAYS = 3 * 365
/** One contract in so many is corrected later, one business in so many renamed. */
const EDIT_ONE_IN = 12
const RENAME_ONE_IN = 20
const HOUR_MILLISECONDS = 60 * 60 * 1000
const DAY_MILLISECONDS = 24 * HOUR_MILLISECONDS
/** What happens within so many days is asked for at once, and made durable together. */
const PERIOD_DAYS = 7
const PERIODS = Math.ceil(DAYS / PERIOD_DAYS)
const SEED = 1

/**
 * Fills empty databases with a made-up firm, through the services' own commands: every rule holds, and events, views
 * and clients come about as they always do. Only the clock is handed in, so that history spans three years; the
 * gateway does not listen yet, so nobody else writes at those times. Does nothing when there is data already. The
 * folder is marked until the demo is whole, so that an interruption at any point leaves nothing that could be taken
 * for it; SIGINT and SIGTERM end the process at once.
 */
export async function fillWithDemo(folder: string, data: DataFolder, logger: Logger): Promise<void> {
  const heads = await Promise.all([data.contracts.events.head(), data.businesses.events.head()])
  if (heads.some((head) => head !== BEGINNING)) {
    console.log('DATA_DIR holds data already, the demo or other, and stays as it is: the demo is for an empty one.\n')
    return
  }
  const bar = new SingleBar(
    { format: 'Filling with a demo {bar} {value}/{total}', gracefulExit: false },
    Presets.shades_classic,
  )
  const interrupt = (signal: NodeJS.Signals): void => {
    bar.stop()
    console.log(`\nInterrupted before the demo was whole: \`npm start -- --demo\` makes it anew.`)
    process.exit(128 + constants.signals[signal])
  }
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt)
  markUnfinished(folder)
  const clock = createDemoClock(Date.now() - DAYS * DAY_MILLISECONDS)
  const services = await startServices({ data, clock: clock.read, requireKnownClient: false, logger })
  bar.start(BUSINESSES + CONTRACTS, 0)
  try {
    await fill(services, clock, (count) => bar.increment(count))
  } finally {
    await services.stop()
    bar.stop()
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
  }
  markFinished(folder)
}

/** A clock that goes on by hours with every look, and to the next period when told. */
function createDemoClock(start: number) {
  let now = start
  let end = start
  return {
    read: () => {
      now = Math.min(now + 4 * HOUR_MILLISECONDS, end)
      return now
    },
    /** Answers the dates (YYYY-MM-DD) of the period. */
    startPeriod: (period: number): string[] => {
      now = start + period * PERIOD_DAYS * DAY_MILLISECONDS
      end = Math.min(now + PERIOD_DAYS * DAY_MILLISECONDS, Date.now())
      return times(PERIOD_DAYS, (day) =>
        new Date(Math.min(now + day * DAY_MILLISECONDS, end)).toISOString().slice(0, 10),
      )
    },
  }
}

async function fill(services: Services, clock: ReturnType<typeof createDemoClock>, onMade: (count: number) => void) {
  const random = createRandom(SEED)
  const clientIds: string[] = []
  let contracts = 0
  for (let period = 0; period < PERIODS; period += 1) {
    const dates = clock.startPeriod(period)
    // The first period is the founding: half of the businesses, no contracts. The rest comes evenly.
    const elapsed = period / (PERIODS - 1)
    const newBusinesses = Math.round((BUSINESSES / 2) * (1 + elapsed)) - clientIds.length
    const first = clientIds.length + 1
    clientIds.push(...(await Promise.all(times(newBusinesses, (i) => makeBusiness(services, random, first + i)))))
    const newContracts = Math.round(CONTRACTS * elapsed) - contracts
    const dateOf = (i: number): string => dates[Math.floor((i * PERIOD_DAYS) / newContracts)] ?? ''
    const makeNext = (i: number) => makeContract(services, random, pick(random, clientIds), dateOf(i))
    await Promise.all(times(newContracts, makeNext))
    contracts += newContracts
    onMade(newBusinesses + newContracts)
  }
}

async function makeBusiness({ businesses }: Services, random: Random, number: number): Promise<string> {
  const request = madeUpBusiness(random, number)
  const { business } = await businesses.createBusiness(request, context())
  if (!business) throw new Error('a service answered without the record')
  if (number % RENAME_ONE_IN === 0) {
    await businesses.editBusiness({ id: business.id, operatedAs: `${request.operatedAs} Group` }, context())
  }
  return business.clientId
}

async function makeContract({ contracts }: Services, random: Random, clientId: string, date: string): Promise<void> {
  const correct = random.between(1, EDIT_ONE_IN) === 1
  const serviceFee = madeUpFee(random, 100, 2000)
  const { contract } = await contracts.createContract(madeUpContract(random, clientId, date), context())
  if (!contract) throw new Error('a service answered without the record')
  if (correct) await contracts.editContract({ id: contract.id, serviceFee, notes: 'Fee corrected.' }, context())
}

const context = (): CallContext => ({ actor: 'demo', requestId: newRequestId(), commitId: randomCommitId() })

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))

function pick(random: Random, clientIds: readonly string[]): string {
  return clientIds[random.between(0, clientIds.length - 1)] ?? ''
}
