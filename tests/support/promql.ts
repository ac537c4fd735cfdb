import { parser } from '@prometheus-io/lezer-promql'

/** What an expression of PromQL reads. */
export interface Expression {
  /** Samples by name, each with the labels that it must have: those by which it is selected, aggregated or joined. */
  readonly reads: readonly { readonly sample: string; readonly labels: readonly string[] }[]
  /** The labels of its results; undefined if it aggregates nothing, and so has all labels of its samples. */
  readonly labels: readonly string[] | undefined
}

type Node = ReturnType<typeof parser.parse>['topNode']

/** Parses an expression; throws if it isn't one. */
export function parsePromql(text: string): Expression {
  const { topNode } = parser.parse(text)
  topNode.cursor().iterate(({ type, from }) => {
    if (type.isError) throw new Error(`no PromQL from ${JSON.stringify(text.slice(from))} on: ${text}`)
  })
  const textOf = ({ from, to }: Node): string => text.slice(from, to)
  const reads: { sample: string; labels: string[] }[] = []
  let grouped: readonly string[] | undefined

  function visit(node: Node, asked: readonly string[]): void {
    if (node.name === 'VectorSelector') {
      const labels = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? []
      const [sample] = node.getChildren('Identifier').map(textOf)
      if (sample === undefined) throw new Error(`it selects no metric by name: ${textOf(node)}`)
      reads.push({ sample, labels: [...asked, ...labels.flatMap((one) => one.getChildren('LabelName').map(textOf))] })
      return
    }
    const clauses = ['AggregateModifier', 'MatchingModifierClause'].flatMap((name) => node.getChildren(name))
    const lists = clauses.flatMap((one) => one.getChildren('GroupingLabels'))
    const named = lists.flatMap((one) => one.getChildren('LabelName')).map(textOf)
    if (node.name === 'AggregateExpr') grouped = [...(grouped ?? []), ...named]
    for (let child = node.firstChild; child !== null; child = child.nextSibling) visit(child, [...asked, ...named])
  }
  visit(topNode, [])
  return { reads, labels: grouped }
}
