import { describeOn, pythonProgram } from '../support/engines.ts'
import { FOLLOWERS, survivesKills } from './followers.ts'

const KILLS = 20

describe('The follower in TypeScript, killed often', () => survivesKills(process.execPath, FOLLOWERS.TypeScript, KILLS))
describeOn(pythonProgram(), 'The follower in Python, killed often', (python) => {
  survivesKills(python, FOLLOWERS.Python, KILLS)
})
