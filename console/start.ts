import { openConsole } from './frame/open-console.ts'
import { applyTheme } from './frame/preferences.ts'
import { language } from './languages/texts.ts'
import { pages } from './pages.ts'

document.documentElement.lang = language
applyTheme()
const root = document.getElementById('console')
if (root) openConsole(root, pages, '/overview')
