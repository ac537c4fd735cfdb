/** A process that takes a folder's lock, says so, and holds it until it is killed. */
import { lockFolder } from '../../shared/adapters/sqlite/file/folder-lock.main.ts'

lockFolder(process.argv[2] ?? '')
process.send?.('locked')
setInterval(() => undefined, 60_000)
