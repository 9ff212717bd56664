/**
 * A node of a random nested text for tests of loose edits. Its indentation is chosen only when the text is written, so that the same
 * change can be written both as a model would send it and as the file should be afterwards.
 */
export interface Node {
  /** The id of the line. It stays the same if the text changes. */
  readonly id: number
  readonly text: string
  /** How this node is indented in its parent: by one step, or by the width of a list marker. */
  readonly nesting: 'step' | 'marker'
  readonly children: readonly Node[]
  /** The line that closes the block, at the node's own depth. */
  readonly close: { readonly id: number; readonly text: string } | null
}

export const LANGUAGES = ['python', 'braces', 'yaml', 'makefile', 'markdown', 'tsv'] as const
export type Language = (typeof LANGUAGES)[number]

/** A line with its nesting, from the outermost level to the innermost. */
export interface Line {
  readonly id: number
  readonly text: string
  readonly path: readonly Node['nesting'][]
  /** Index of the top-level node that contains the line. */
  readonly block: number
}

export interface Random {
  /** Returns a number from 0 up to, but not including, `count`. */
  below(count: number): number
  chance(probability: number): boolean
  pick<T>(from: readonly T[]): T
}

/** Mulberry32: returns the same numbers for the same seed on every machine. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (count: number): number => Math.floor(next() * count)
  return {
    below,
    chance: (probability) => next() < probability,
    pick(from) {
      const one = from[below(from.length)]
      if (one === undefined) throw new Error('Nothing to pick from.')
      return one
    },
  }
}

/** Creates nodes with unique ids. */
export interface Maker {
  readonly language: Language
  leaf(depth: number): Node
  block(children: readonly Node[], depth: number): Node
  renamed(node: Node): Node
}

export function makerOf(language: Language, random: Random): Maker {
  let count = 0
  const id = (): number => ++count
  const word = (): string => `${random.pick(['user', 'count', 'total', 'file', 'item', 'row'])}${random.below(1000)}`
  const leaf = (text: string, nesting: Node['nesting'] = 'step'): Node => ({ id: id(), text, nesting, children: [], close: null })
  const code = (): string =>
    random.pick([
      `${word()} = ${word()}(${word()}, "${word()}")`,
      `${word()} = ${word()} + ${random.below(99)}`,
      `return ${word()}`,
      `${word()}()`,
    ])
  const entry = (): Node => {
    const fields = Array.from({ length: random.below(3) }, () => leaf(`${word()}: ${word()}`, 'marker'))
    return { ...leaf(`- ${word()}: ${word()}`), children: fields }
  }
  return {
    language,
    leaf(depth) {
      switch (language) {
        case 'python':
          return leaf(code())
        case 'braces':
          return leaf(`${code()};`)
        case 'yaml':
          return leaf(`${word()}: ${word()}`)
        case 'makefile':
          return leaf(depth === 0 ? `${word().toUpperCase()} = ${word()}` : `$(CC) -o ${word()} ${word()}.c`)
        case 'markdown':
          return leaf(`- ${word()} and ${word()}`)
        case 'tsv':
          return leaf([word(), random.below(1000), word(), `${word()}${random.chance(0.2) ? ` ${word()}` : ''}`].join('\t'))
      }
    },
    block(children, depth) {
      const head = `${word()} ${random.below(9)}`
      switch (language) {
        case 'python':
          return { ...leaf(random.pick([`if ${head}:`, `for x in ${word()}:`, `def ${word()}(a):`])), children }
        case 'braces':
          return {
            ...leaf(random.pick([`if (${word()}) {`, `function ${word()}() {`, `call(${word()}, {`])),
            children,
            close: { id: id(), text: '}' },
          }
        case 'yaml':
          return { ...leaf(`${word()}:`), children: random.chance(0.3) ? [entry(), entry()] : children }
        case 'makefile':
          return depth === 0 ? { ...leaf(`${word()}: ${word()}`), children } : leaf(`echo ${word()}`)
        case 'markdown':
          return { ...leaf(`- ${word()}`), children }
        case 'tsv':
          return this.leaf(depth)
      }
    },
    renamed: (node) => ({ ...node, text: node.text.replace(/[a-z]+\d+/u, word()) }),
  }
}

/** Limits for the depth of the tree and for the number of children of a block. */
const MAX_DEPTH = 4
const MAX_CHILDREN = 4

export function randomProgram(maker: Maker, random: Random): readonly Node[] {
  const nodes = (depth: number): readonly Node[] =>
    Array.from({ length: 1 + random.below(MAX_CHILDREN) }, () =>
      depth < MAX_DEPTH && random.chance(0.5) ? maker.block(nodes(depth + 1), depth) : maker.leaf(depth),
    )
  return [...nodes(0), ...nodes(0), maker.block(nodes(1), 0)]
}

export function linesOf(nodes: readonly Node[]): readonly Line[] {
  const below = (node: Node, path: Line['path'], block: number): readonly Line[] => [
    { id: node.id, text: node.text, path, block },
    ...node.children.flatMap((child) => below(child, [...path, child.nesting], block)),
    ...(node.close ? [{ ...node.close, path, block }] : []),
  ]
  return nodes.flatMap((node, block) => below(node, [], block))
}
