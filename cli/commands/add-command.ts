import type { Command } from 'commander'

/** For commands that print a list. */
export const JSON_LINES = ['--json', 'for machines: one JSON value per line'] as const
/** For commands that print one result. */
export const JSON_VALUE = ['--json', 'for machines: print the result as one JSON value'] as const

export interface JsonOption {
  readonly json?: boolean
}

/** Adds a command. `summary` is its line in the list of commands; `more`: what else its own `--help` says. */
export function addCommand(parent: Command, name: string, summary: string, more = ''): Command {
  const sentence = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`
  return parent.command(name).summary(summary).description(`${sentence} ${more}`.trimEnd())
}

/** Adds a command that has only commands of its own. */
export const addGroup = (...[mint, name, summary, more]: Parameters<typeof addCommand>): Command =>
  addCommand(mint, name, summary, more).helpCommand(false)

/** Ends the `--help` of a command with an example; `settings` come before the command. */
export function addExample(command: Command, words: string, settings = ''): Command {
  let path = ''
  for (let one: Command | null = command; one; one = one.parent) path = `${one.name()} ${path}`
  return command.addHelpText('after', `\nExample:\n  ${settings}${path}${words}`.trimEnd())
}
