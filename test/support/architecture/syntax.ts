/** A node of the syntax tree, with the members that the rules need. */
export interface Node {
  readonly type: string
  /** `start` and `end` are UTF-16 offsets into the text. */
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

export function childNodes(node: Node): readonly Node[] {
  return Object.values(node).flatMap((value) => (Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []))
}

/** Returns a node and all nodes below it, parents first. */
export function nodesIn(root: Node): readonly Node[] {
  const found: Node[] = []
  const left = [root]
  for (let node = left.pop(); node; node = left.pop()) {
    found.push(node)
    left.push(...childNodes(node).toReversed())
  }
  return found
}

/** Returns the name in an identifier or a string key. Empty for any other node. */
export function textOf(node: unknown): string {
  if (!isNode(node)) return ''
  const name = node.name ?? node.value
  return typeof name === 'string' ? name : ''
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
}
