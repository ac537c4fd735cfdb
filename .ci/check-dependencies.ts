/**
 * Exits with 1 if a package that production needs has a licence that isn't on the list, or a known vulnerability. If
 * the registry doesn't report vulnerabilities, says so and continues: the licences are checked all the same.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Permissive licences: they require attribution only, so an image under Apache-2.0 may contain what they cover. */
const ALLOWED = ['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', '0BSD']

interface LockedPackage {
  readonly version: string
  readonly license?: string
  readonly dev?: boolean
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>
}
const production = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev)
const refused = production.filter(([, { license = '' }]) => !isAllowed(license))
for (const [path, { version, license = 'none' }] of refused) {
  console.error(`${path} ${version}: the licence ${license} is not one of ${ALLOWED.join(', ')}.`)
}
console.log(`Licences: ${production.length} packages checked, ${refused.length} refused.`)

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8' })
const { metadata, vulnerabilities, message } = JSON.parse(stdout || '{}')
if (metadata) {
  for (const { name, severity, range } of Object.values<Record<string, string>>(vulnerabilities)) {
    console.error(`${name} ${range}: a known vulnerability, ${severity}. npm audit says more.`)
  }
  console.log(`Known vulnerabilities: ${metadata.vulnerabilities.total}.`)
} else {
  console.log(
    `Known vulnerabilities: not checked, as the registry did not answer npm audit (${message ?? 'no answer'}).`,
  )
}
if (refused.length > 0 || metadata?.vulnerabilities.total > 0) process.exitCode = 1

/** An SPDX expression whose licences are all on the list; of alternatives (OR) one is enough. */
function isAllowed(expression: string): boolean {
  const alternatives = expression.replaceAll(/[()]/g, '').split(' OR ')
  return alternatives.some((all) => all.split(' AND ').every((licence) => ALLOWED.includes(licence)))
}
