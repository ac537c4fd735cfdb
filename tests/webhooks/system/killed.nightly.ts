import { deliversThroughKills } from './killed.ts'

describe('Webhooks of a Mint that is killed often amid deliveries', () => deliversThroughKills(12))
