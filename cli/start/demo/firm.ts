import type { CreateBusinessRequest } from '../../../shared/gen/mint/businesses/v1/businesses.ts'
import type { CreateContractRequest } from '../../../shared/gen/mint/contracts/v1/contracts.ts'
import type { Random } from './random.ts'

interface Trade {
  readonly words: readonly [string, ...string[]]
  readonly industryType: string
}

const NAMES = [
  'Northgate', 'Maple Ridge', 'Harbour', 'Lindström', 'École Saint-Paul', 'Brightwater', 'Okafor', 'Silva & Costa',
  'Red River', 'Müller', 'Kowalski', 'Blue Heron', 'Granite', 'Nguyen', 'Fairview', 'O’Brien', 'Summit', 'Côté',
  'Prairie', 'Andersen', 'Cedar Hill', 'Ibáñez', 'Lakeside', 'Papadopoulos', 'Ironworks', 'Whitfield',
] as const // biome-ignore format: a list to read through
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

/** What the firm renders: name, category, and the range of its fee. */
const SERVICES: readonly [readonly [string, string, number, number], ...(readonly [string, string, number, number])[]] =
  [
    ['Monthly bookkeeping', 'bookkeeping', 180, 650],
    ['Payroll run', 'payroll', 60, 320],
    ['Corporate tax return', 'tax-filing', 600, 3200],
    ['Sales tax return', 'tax-filing', 120, 400],
    ['Annual accounts', 'accounting', 900, 5200],
    ['Audit support', 'audit', 1500, 9000],
    ['Advisory hours', 'advisory', 95, 1900],
  ]
const TAX_PERCENTS = ['0', '5', '8.25', '13', '13', '13', '15'] as const
const NOTES = ['', '', '', 'Paid on receipt.', 'Discount agreed by phone.', 'Second reminder sent.'] as const

/** A made-up business. `number` makes its name and its business number its own. */
export function madeUpBusiness(random: Random, number: number): CreateBusinessRequest {
  const name = NAMES[(number - 1) % NAMES.length] ?? NAMES[0]
  const trade = random.pick(TRADES)
  const form = random.pick(FORMS)
  const operatedAs = `${name} ${random.pick(trade.words)}`
  const mailName = operatedAs
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase()
  return {
    legalName: `${operatedAs} ${number > NAMES.length ? `(${number}) ` : ''}${form.suffix}`,
    operatedAs,
    businessNumber: `${700_000_000 + number * 7919}`,
    taxId: random.next() < 0.8 ? `TX-${100_000 + number * 37}` : undefined,
    phone: `+1 555 ${String(random.between(100, 999))} ${String(random.between(1000, 9999))}`,
    email: `office${number}@${mailName}.example`,
    ownershipType: form.ownershipType,
    industryType: trade.industryType,
    incorporationDate: `${random.between(1962, 2021)}-${twoDigits(random.between(1, 12))}-${twoDigits(random.between(1, 28))}`,
  }
}

/** A made-up contract for a client, rendered on a date (YYYY-MM-DD). */
export function madeUpContract(random: Random, clientId: string, serviceDate: string): CreateContractRequest {
  const [serviceName, serviceType, least, most] = random.pick(SERVICES)
  return {
    clientId,
    serviceName,
    serviceType,
    serviceFee: madeUpFee(random, least, most),
    taxPercent: random.pick(TAX_PERCENTS),
    serviceDate,
    notes: random.pick(NOTES),
  }
}

/** Mostly round amounts, some with cents. */
export function madeUpFee(random: Random, least: number, most: number): string {
  const amount = random.between(least / 5, most / 5) * 5
  return random.next() < 0.25 ? `${amount}.${twoDigits(random.between(1, 99))}` : String(amount)
}

const twoDigits = (value: number): string => String(value).padStart(2, '0')
