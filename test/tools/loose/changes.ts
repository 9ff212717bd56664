import type { Maker, Node, Random } from './programs.ts'

/** Returns the children of a node (or of the top level) after a change. */
type Edit = (
  nodes: readonly Node[],
  at: number,
  depth: number,
  parts: { readonly maker: Maker; readonly random: Random },
) => readonly Node[]

const spliced = (nodes: readonly Node[], at: number, removed: number, ...added: readonly Node[]): readonly Node[] =>
  nodes.toSpliced(at, removed, ...added)

const sameNesting = (node: Node, like: Node | undefined): Node => ({ ...node, nesting: like?.nesting ?? 'step' })

const EDITS: Readonly<Record<string, Edit>> = {
  'a line before': (nodes, at, depth, { maker }) => spliced(nodes, at, 0, sameNesting(maker.leaf(depth), nodes[at])),
  'a line behind': (nodes, at, depth, { maker }) => spliced(nodes, at + 1, 0, sameNesting(maker.leaf(depth), nodes[at])),
  'a line changed': (nodes, at, _, { maker }) => nodes.map((node, index) => (index === at ? maker.renamed(node) : node)),
  'two lines changed': (nodes, at, _, { maker }) =>
    nodes.map((node, index) => (index === at || index === at + 1 ? maker.renamed(node) : node)),
  'lines removed': (nodes, at) => spliced(nodes, at, 1),
  'a block added': (nodes, at, depth, { maker }) =>
    spliced(nodes, at + 1, 0, sameNesting(maker.block([maker.leaf(depth + 1), maker.leaf(depth + 1)], depth), nodes[at])),
  'a nested block added': (nodes, at, depth, { maker }) =>
    spliced(
      nodes,
      at,
      0,
      sameNesting(maker.block([maker.leaf(depth + 1), maker.block([maker.leaf(depth + 2)], depth + 1)], depth), nodes[at]),
    ),
  'wrapped in a block': (nodes, at, depth, { maker, random }) => {
    const wrapped = nodes.slice(at, at + 1 + random.below(3))
    if (maker.language === 'tsv' || (maker.language === 'makefile' && depth > 0)) return nodes
    if (wrapped.some(({ nesting, text }) => nesting === 'marker' || text.startsWith('- '))) return nodes
    return spliced(nodes, at, wrapped.length, maker.block(wrapped, depth))
  },
  unwrapped: (nodes, at) => {
    const node = nodes[at]
    if (!node || node.children.length === 0 || node.children.some(({ nesting, text }) => nesting === 'marker' || text.startsWith('- ')))
      return nodes
    return spliced(nodes, at, 1, ...node.children)
  },
}

export interface Change {
  readonly name: string
  readonly after: readonly Node[]
}

/** Makes one random change at a random place in the tree. Null if nothing changed. */
export function randomChange(
  program: readonly Node[],
  parts: { readonly maker: Maker; readonly random: Random; readonly isMixed: boolean },
): Change | null {
  const { random, isMixed } = parts
  const names = Object.keys(EDITS)
  const name = random.pick(names)
  const edit = EDITS[name]
  if (!edit) return null
  const into = (nodes: readonly Node[], depth: number): readonly Node[] | null => {
    const at = random.below(nodes.length)
    const inner = nodes[at]
    if (inner && inner.children.length > 0 && random.chance(0.7)) {
      const children = into(inner.children, depth + 1)
      return children && nodes.map((node, index) => (index === at ? { ...inner, children } : node))
    }
    // In a file with several indentation styles, a new top-level block has no style to follow.
    return isMixed && depth === 0 ? null : edit(nodes, at, depth, parts)
  }
  const after = into(program, 0)
  return after === null || after === program ? null : { name, after }
}
