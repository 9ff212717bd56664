import type { SourceFile } from './source-file.ts'

/**
 * Returns groups of folders that depend on each other in a circle, each group once. Only the folders directly in `main`, `renderer`,
 * `renderer/features` and `shared` count. A deeper folder counts as part of the folder that contains it.
 */
export function folderCycles(files: readonly SourceFile[]): readonly (readonly string[])[] {
  const graph = folderGraph(files)
  return stronglyConnected(graph).filter((group) => group.length > 1)
}

/** Returns groups of files that depend on each other in a circle through any import, including type imports. */
export function fileCycles(files: readonly SourceFile[]): readonly (readonly string[])[] {
  const graph = new Map(files.map(({ path, imports }) => [path, new Set(imports.map(({ target }) => target))]))
  return stronglyConnected(graph).filter((group) => group.length > 1)
}

function folderGraph(files: readonly SourceFile[]): ReadonlyMap<string, ReadonlySet<string>> {
  const known = new Set(files.map(({ path }) => folderOf(path)))
  const graph = new Map<string, Set<string>>([...known].map((folder) => [folder, new Set()]))
  for (const { path, imports } of files) {
    for (const { target } of imports) {
      const from = folderOf(path)
      const to = folderOf(target)
      if (from !== to && known.has(to)) graph.get(from)?.add(to)
    }
  }
  return graph
}

/** Returns the folder to which a file belongs. A file directly in one of the big folders counts as its own folder. */
export function folderOf(path: string): string {
  const parts = path.split('/')
  return parts.slice(0, parts[0] === 'renderer' && parts[1] === 'features' ? 3 : 2).join('/')
}

/** Tarjan's algorithm. Returns the groups of nodes that can all reach each other, with sorted members. */
function stronglyConnected(graph: ReadonlyMap<string, ReadonlySet<string>>): readonly (readonly string[])[] {
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const groups: string[][] = []
  const visit = (node: string): void => {
    order.set(node, order.size)
    low.set(node, order.size - 1)
    stack.push(node)
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) visit(next)
      if (stack.includes(next)) low.set(node, Math.min(low.get(node) ?? 0, low.get(next) ?? 0))
    }
    if (low.get(node) === order.get(node)) groups.push(stack.splice(stack.indexOf(node)).toSorted())
  }
  for (const node of graph.keys()) if (!order.has(node)) visit(node)
  return groups
}
