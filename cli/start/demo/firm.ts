import type { CreateBusinessRequest } from '../../../shared/gen/mint/businesses/v1/businesses.ts'
import type { CreateContractRequest } from '../../../shared/gen/mint/contracts/v1/contracts.ts'
import type { WorkingDay } from './calendar.ts'
import { NAMES } from './names.ts'
import type { Random } from './random.ts'

interface Trade {
  readonly words: readonly [string, ...string[]]
  readonly industryType: string
}

const TRADES: readonly [Trade, ...Trade[]] = [
  { words: ['Bakery', 'Books', 'Outfitters', 'Hardware', 'Pharmacy', 'Grocers'], industryType: 'retail' },
  { words: ['Furniture', 'Castings', 'Packaging', 'Instruments', 'Foods'], industryType: 'manufacturing' },
  { words: ['Consulting', 'Dental Clinic', 'Logistics', 'Landscaping', 'Design', 'Plumbing'], industryType: 'service' },
  { words: ['Foundation', 'Farm', 'Theatre', 'Holdings'], industryType: 'other' },
]
const FORMS: readonly [
  Readonly<{ suffix: string; ownershipType: string }>,
  ...{ suffix: string; ownershipType: string }[],
] = [
  { suffix: 'Ltd.', ownershipType: 'private' },
  { suffix: 'Inc.', ownershipType: 'private' },
  { suffix: 'plc', ownershipType: 'public' },
  { suffix: 'Association', ownershipType: 'non_profit' },
  { suffix: 'Partnership', ownershipType: 'other' },
]

interface OfferedService {
  readonly name: string
  readonly type: string
  /** The range of its fee. */
  readonly fee: readonly [least: number, most: number]
  /** How often it is rendered, beside the others, in the tax season and in the rest of the year. */
  readonly often: readonly [inSeason: number, otherwise: number]
}

const SERVICES: readonly [OfferedService, ...OfferedService[]] = [
  { name: 'Corporate tax return', type: 'tax-filing', fee: [600, 3200], often: [12, 1] },
  { name: 'Sales tax return', type: 'tax-filing', fee: [120, 400], often: [6, 3] },
  { name: 'Annual accounts', type: 'accounting', fee: [900, 5200], often: [5, 1] },
  { name: 'Monthly bookkeeping', type: 'bookkeeping', fee: [180, 650], often: [4, 6] },
  { name: 'Payroll run', type: 'payroll', fee: [60, 320], often: [4, 6] },
  { name: 'Audit support', type: 'audit', fee: [1500, 9000], often: [1, 1] },
  { name: 'Advisory hours', type: 'advisory', fee: [95, 1900], often: [2, 3] },
]
const TAX_PERCENTS = ['0', '5', '8.25', '13', '13', '13', '15'] as const
const NOTES = ['', '', '', 'Paid on receipt.', 'Discount agreed by phone.', 'Second reminder sent.'] as const

/** A client of the firm, as its contracts need to know it. */
export interface FirmClient {
  readonly clientId: string
  /** Where a client is decides what tax it pays, on everything. */
  readonly taxPercent: string
}

/** The tax of a new client. */
export const madeUpTaxPercent = (random: Random): string => random.pick(TAX_PERCENTS)

/** A made-up business. `number`, from 1 to 200, makes its name and its business number its own. */
export function madeUpBusiness(random: Random, number: number): CreateBusinessRequest {
  const name = NAMES[(number - 1) % NAMES.length] ?? NAMES[0]
  // The second business of a name is of another trade.
  const round = Math.floor((number - 1) / NAMES.length)
  const trade = TRADES[(number + round) % TRADES.length] ?? TRADES[0]
  const form = random.pick(FORMS)
  const operatedAs = `${name} ${random.pick(trade.words)}`
  const mailName = operatedAs
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase()
  return {
    legalName: `${operatedAs} ${form.suffix}`,
    operatedAs,
    businessNumber: `${700_000_000 + number * 7919}`,
    taxId: random.next() < 0.8 ? `TX-${100_000 + number * 37}` : undefined,
    phone: `+1 555 ${String(random.between(100, 999))} ${String(random.between(1000, 9999))}`,
    email: `office@${mailName}.example`,
    ownershipType: form.ownershipType,
    industryType: trade.industryType,
    incorporationDate: `${random.between(1962, 2021)}-${twoDigits(random.between(1, 12))}-${twoDigits(random.between(1, 28))}`,
  }
}

/** A made-up contract for a client, rendered on this day. */
export function madeUpContract(random: Random, client: FirmClient, day: WorkingDay): CreateContractRequest {
  const { name, type, fee } = pickService(random, day)
  return {
    clientId: client.clientId,
    serviceName: name,
    serviceType: type,
    serviceFee: madeUpFee(random, ...fee),
    taxPercent: client.taxPercent,
    serviceDate: day.date,
    notes: random.pick(NOTES),
  }
}

/** Each service as often as its share of all. */
function pickService(random: Random, { isTaxSeason }: WorkingDay): OfferedService {
  const tickets = SERVICES.flatMap((service) => Array<OfferedService>(service.often[isTaxSeason ? 0 : 1]).fill(service))
  return tickets[random.between(0, tickets.length - 1)] ?? SERVICES[0]
}

/** Mostly round amounts, some with cents. */
function madeUpFee(random: Random, least: number, most: number): string {
  const amount = random.between(least / 5, most / 5) * 5
  return random.next() < 0.25 ? `${amount}.${twoDigits(random.between(1, 99))}` : String(amount)
}

const twoDigits = (value: number): string => String(value).padStart(2, '0')
