import assert from 'node:assert/strict'
import { atEnd } from '../../support/cleanup.ts'
import { TEST_SECRET } from '../../support/grpc-access.ts'
import { startPart } from '../../support/part-process.ts'
import { MAIN_FILES } from '../../support/separate-processes.ts'
import { newFolder } from '../../support/temporary-folder.ts'

/** Without engines, so that only the signal can end it. */
const ENVIRONMENT = {
  MONGO_URL: 'mongodb://127.0.0.1:1/?replicaSet=rs0',
  KAFKA_BROKERS: '127.0.0.1:1',
  SERVICE_SECRET: TEST_SECRET,
  PORT: '0',
  METRICS_PORT: '0',
  CONTRACTS_PORT: '0',
  BUSINESSES_PORT: '0',
  DRAIN_SECONDS: '0',
}

describe('A process that gets SIGTERM while it loads its code', () => {
  for (const [part, file] of Object.entries(MAIN_FILES)) {
    it(`exits with 0: ${part}`, async () => {
      const hook = './tests/support/signalled-process.ts'
      const process = atEnd.kill(startPart(file, { ...ENVIRONMENT, VIEWS_DIR: newFolder() }, { hook }))
      assert.deepEqual(await process.gone, [0, null], process.log())
    })
  }
})
