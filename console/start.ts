import { openConsole } from './frame/frame.ts'
import { pages } from './pages.ts'

const root = document.getElementById('console')
if (root) openConsole(root, pages, '/overview')
