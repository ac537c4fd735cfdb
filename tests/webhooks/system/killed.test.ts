import { deliversThroughKills } from './killed.ts'

describe('Webhooks of a Mint that is killed during deliveries', () => deliversThroughKills(3))
