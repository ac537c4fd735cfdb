import { globSync, readFileSync } from 'node:fs'
import { ts } from '@ts-morph/common'

/** A call that shows a text. */
export interface TextCall {
  /** `keys.title`, with `*` for what is only known at run time. */
  readonly name: string
  /** The placeholders that get a value; undefined: not known from the code. */
  readonly values: readonly string[] | undefined
  /** For messages: `console/keys/keys-page.ts:12`. */
  readonly at: string
}

/** The texts that the console's sources show, and how. */
export interface ConsoleTexts {
  readonly calls: readonly TextCall[]
  /** Every string in the code that may name a text, with `*` for what is only known at run time. */
  readonly strings: ReadonlySet<string>
  /** Words in templates and sentences in the code that are in no table: `console/keys/keys-page.ts:12: New key`. */
  readonly outside: readonly string[]
}

/** Reads the console's sources, except the language files. */
export function readConsoleTexts(): ConsoleTexts {
  const files = globSync('console/**/*.ts').filter((file) => !file.startsWith('console/languages/'))
  const calls: TextCall[] = []
  const strings = new Set<string>()
  const outside: string[] = []
  for (const file of files.sort()) {
    const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
    const at = (node: ts.Node) => `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`
    eachNode(source, (node) => {
      for (const string of stringsOf(node)) strings.add(string)
      for (const { name, values } of saidIn(node)) {
        strings.add(name)
        calls.push({ name, values: valuesOf(values, source), at: at(node) })
      }
      outside.push(
        ...stringsOf(node)
          .filter((string) => isSentence(string, node))
          .map((string) => `${at(node)}: ${string}`),
      )
      if (ts.isTaggedTemplateExpression(node)) {
        outside.push(...wordsIn(node.template).map((words) => `${at(node)}: ${words}`))
      }
    })
  }
  return { calls, strings, outside }
}

function eachNode(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node)
  node.forEachChild((child) => eachNode(child, visit))
}

/** The texts that a call shows. */
function saidIn(node: ts.Node): readonly { readonly name: string; readonly values: ts.Node | undefined }[] {
  if (!ts.isCallExpression(node)) return []
  const [name, second, third] = node.arguments
  if (name === undefined) return []
  const called = node.expression.getText()
  // Each kind of record has its own text.
  if (called === 'kindText') return namesIn(name).map((one) => ({ name: `${one}.*`, values: third }))
  return called === 'text' || called === 'parts' ? namesIn(name).map((one) => ({ name: one, values: second })) : []
}

/** A string in the code, as a pattern. */
function stringsOf(node: ts.Node): readonly string[] {
  if (ts.isStringLiteralLike(node)) return [node.text]
  if (ts.isTemplateExpression(node))
    return [node.head.text + node.templateSpans.map((span) => `*${span.literal.text}`).join('')]
  return []
}

/** The names that the first argument of a call may have. */
function namesIn(argument: ts.Node): readonly string[] {
  if (ts.isConditionalExpression(argument)) return [...namesIn(argument.whenTrue), ...namesIn(argument.whenFalse)]
  if (ts.isParenthesizedExpression(argument)) return namesIn(argument.expression)
  return stringsOf(argument)
}

function valuesOf(argument: ts.Node | undefined, source: ts.SourceFile): readonly string[] | undefined {
  if (argument === undefined) return []
  const object = ts.isIdentifier(argument) ? initializerOf(argument, source) : argument
  if (object === undefined || !ts.isObjectLiteralExpression(object)) return undefined
  const names = object.properties.map((property) => property.name?.getText())
  return names.includes(undefined) ? undefined : names.filter((name) => name !== undefined)
}

/** The value in the last declaration before a variable's use. */
function initializerOf(variable: ts.Identifier, source: ts.SourceFile): ts.Node | undefined {
  let found: ts.Node | undefined
  eachNode(source, (node) => {
    const isBefore = node.getStart() < variable.getStart()
    if (isBefore && ts.isVariableDeclaration(node) && node.name.getText() === variable.text) found = node.initializer
  })
  return found
}

/** The words in a template that are shown, or read by a screen reader. */
function wordsIn(template: ts.TemplateLiteral): readonly string[] {
  const markup = ts.isTemplateExpression(template)
    ? template.head.text + template.templateSpans.map((span) => `\0${span.literal.text}`).join('')
    : template.text
  const attributes = [...markup.matchAll(/\s(?:aria-label|title|placeholder|alt|label)="([^"]*)"/g)].map(
    ([, value]) => value ?? '',
  )
  const shown = markup.replace(/<code[^>]*>[^<]*<\/code>/g, '').split(/<[^>]*>/)
  return [...attributes, ...shown]
    .map((words) => words.replaceAll('\0', '…').trim())
    .filter((words) => /\p{Letter}/u.test(words))
}

/** Whether a string is for readers: several words, and neither markup nor the message of an internal error. */
function isSentence(string: string, node: ts.Node): boolean {
  const parent = ts.isBinaryExpression(node.parent) ? node.parent.parent : node.parent
  if (ts.isTaggedTemplateExpression(parent) || ts.isNewExpression(parent)) return false
  if (ts.isCallExpression(parent) && parent.expression.kind === ts.SyntaxKind.SuperKeyword) return false
  return /\p{Letter}{2}[,:]? [\p{Letter}*]/u.test(string) && !NO_SENTENCES.has(string)
}

/** Selectors, classes, headers, and how Excel writes dates. */
const NO_SENTENCES = new Set([
  'main h1',
  '.grid-end button',
  'input:not([type=checkbox], [type=radio]), select, textarea',
  'Bearer *',
  'problem form-problem',
  'amount total',
  'sums line-by-line',
  'bar *',
  '*-problem *-hint',
  'mmmm yyyy',
  'yyyy-mm-dd hh:mm',
])
