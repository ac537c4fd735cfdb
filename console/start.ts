import { openConsole } from './frame/open-console.ts'
import { pages } from './pages.ts'

const root = document.getElementById('console')
if (root) openConsole(root, pages, '/overview')
