import { startProcess } from '../shared/runtime/process/start-process.ts'

await startProcess(() => import('./process.ts'), process.env)
