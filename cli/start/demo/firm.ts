import type { CreateBusinessRequest } from '../../../shared/gen/mint/businesses/v1/businesses.ts'
import type { CreateContractRequest } from '../../../shared/gen/mint/contracts/v1/contracts.ts'
import type { EditFirmRequest } from '../../../shared/gen/mint/contracts/v1/firm.ts'
import type { WorkingDay } from './calendar.ts'
import { NAMES } from './names.ts'
import type { Random } from './random.ts'

/** The firm of the demo. */
export const FIRM: EditFirmRequest = {
  name: 'Harbour Street Accounting',
  address: '12 Harbour Street\nHalifax NS  B3H 1A1\nCanada',
  email: 'office@harbourstreet.example',
  phone: '+1 902 555 0100',
  taxId: '123456789 RT0001',
  currency: 'CAD',
  timeZone: 'America/Halifax',
}

/** What businesses of each type of industry call themselves. */
const TRADES = Object.entries({
  retail: ['Bakery', 'Books', 'Outfitters', 'Hardware', 'Pharmacy', 'Grocers'],
  manufacturing: ['Furniture', 'Castings', 'Packaging', 'Instruments', 'Foods'],
  service: ['Consulting', 'Dental Clinic', 'Logistics', 'Landscaping', 'Design', 'Plumbing'],
  other: ['Foundation', 'Farm', 'Theatre', 'Holdings'],
})
/** The type of ownership by the end of the legal name. */
const LEGAL_FORMS = Object.entries({
  'Ltd.': 'private',
  'Inc.': 'private',
  plc: 'public',
  Association: 'non_profit',
  Partnership: 'other',
})
/** `fee`: from, to. `weight`: how frequent it is among them, in the tax season and in the rest of the year. */
const SERVICES = [
  { name: 'Corporate tax return', type: 'tax-filing', fee: [600, 3200], weight: [12, 1] },
  { name: 'Sales tax return', type: 'tax-filing', fee: [120, 400], weight: [6, 3] },
  { name: 'Annual accounts', type: 'accounting', fee: [900, 5200], weight: [5, 1] },
  { name: 'Monthly bookkeeping', type: 'bookkeeping', fee: [180, 650], weight: [4, 6] },
  { name: 'Payroll run', type: 'payroll', fee: [60, 320], weight: [4, 6] },
  { name: 'Audit support', type: 'audit', fee: [1500, 9000], weight: [1, 1] },
  { name: 'Advisory hours', type: 'advisory', fee: [95, 1900], weight: [2, 3] },
] as const
/** The tax rates that new clients are given; repeated ones are more frequent. */
export const TAX_PERCENTS = ['0', '5', '8.25', '13', '13', '13', '15']
const NOTES = ['', '', '', 'Paid on receipt.', 'Discount agreed by phone.', 'Second reminder sent.']

/** A client of the firm, as its contracts need to know it. */
export interface FirmClient {
  readonly clientId: string
  /** A client's location decides which tax it pays, on everything. */
  readonly taxPercent: string
}

/** A made-up business. `number`, from 1 to 200, makes its name and its business number unique. */
export function madeUpBusiness(random: Random, number: number): CreateBusinessRequest {
  // The second business of a name has another trade.
  const round = Math.floor((number - 1) / NAMES.length)
  const [industryType, words] = TRADES[(number + round) % TRADES.length] as (typeof TRADES)[number]
  const [suffix, ownershipType] = random.pick(LEGAL_FORMS)
  const operatedAs = `${NAMES[(number - 1) % NAMES.length]} ${random.pick(words)}`
  const mailName = operatedAs
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase()
  return {
    legalName: `${operatedAs} ${suffix}`,
    operatedAs,
    businessNumber: `${700_000_000 + number * 7919}`,
    taxId: random.next() < 0.8 ? `TX-${100_000 + number * 37}` : undefined,
    phone: `+1 555 ${random.between(100, 999)} ${random.between(1000, 9999)}`,
    email: `office@${mailName}.example`,
    ownershipType,
    industryType,
    incorporationDate: `${random.between(1962, 2021)}-${twoDigits(random.between(1, 12))}-${twoDigits(random.between(1, 28))}`,
  }
}

/** A made-up contract for a client, rendered on this day. */
export function madeUpContract(
  random: Random,
  { clientId, taxPercent }: FirmClient,
  day: WorkingDay,
): CreateContractRequest {
  const weighted = SERVICES.flatMap((service) => Array(service.weight[day.isTaxSeason ? 0 : 1]).fill(service))
  const { name, type, fee }: (typeof SERVICES)[number] = random.pick(weighted)
  // Mostly round amounts, some with cents.
  const amount = random.between(fee[0] / 5, fee[1] / 5) * 5
  const cents = random.next() < 0.25 ? `.${twoDigits(random.between(1, 99))}` : ''
  return {
    clientId,
    taxPercent,
    serviceName: name,
    serviceType: type,
    serviceFee: `${amount}${cents}`,
    serviceDate: day.date,
    notes: random.pick(NOTES),
  }
}

const twoDigits = (value: number): string => String(value).padStart(2, '0')
