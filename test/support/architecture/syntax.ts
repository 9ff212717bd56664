/** A node of the syntax tree, as far as the rules need to know it. */
export interface Node {
  readonly type: string
  /** UTF-16 offsets into the text. */
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

/** The nodes directly below one. */
export function childNodes(node: Node): readonly Node[] {
  return Object.values(node).flatMap((value) => (Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []))
}

/** A node and all below it, parents first. */
export function nodesIn(root: Node): readonly Node[] {
  const found: Node[] = []
  const left = [root]
  for (let node = left.pop(); node; node = left.pop()) {
    found.push(node)
    left.push(...childNodes(node).toReversed())
  }
  return found
}

/** The name that an identifier or a string key spells; empty for anything else. */
export function textOf(node: unknown): string {
  if (!isNode(node)) return ''
  const name = node.name ?? node.value
  return typeof name === 'string' ? name : ''
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
}
