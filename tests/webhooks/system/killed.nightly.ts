import { deliversThroughKills } from './killed.ts'

describe('Webhooks of a Mint that is killed often during deliveries', () => deliversThroughKills(12))
