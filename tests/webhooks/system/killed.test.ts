import { deliversThroughKills } from './killed.ts'

describe('Webhooks of a Mint that is killed amid deliveries', () => deliversThroughKills(3))
