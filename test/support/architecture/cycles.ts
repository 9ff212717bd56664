import type { SourceFile } from './source-file.ts'

/**
 * Folders that depend on each other in a circle, each circle once, as the folders on it. A folder here is an idea: what lies
 * directly in `main`, `renderer`, `renderer/features` or `shared`; deeper ones belong to it.
 */
export function folderCycles(files: readonly SourceFile[]): readonly (readonly string[])[] {
  const graph = folderGraph(files)
  return stronglyConnected(graph).filter((group) => group.length > 1)
}

/** Files that depend on each other in a circle, by whatever they import, types too. */
export function fileCycles(files: readonly SourceFile[]): readonly (readonly string[])[] {
  const graph = new Map(files.map(({ path, imports }) => [path, new Set(imports.map(({ target }) => target))]))
  return stronglyConnected(graph).filter((group) => group.length > 1)
}

function folderGraph(files: readonly SourceFile[]): ReadonlyMap<string, ReadonlySet<string>> {
  const known = new Set(files.map(({ path }) => folderOf(path)))
  const graph = new Map<string, Set<string>>([...known].map((folder) => [folder, new Set()]))
  for (const { path, imports } of files) {
    for (const { target } of imports) {
      const [from, to] = [folderOf(path), folderOf(target)]
      if (from !== to && known.has(to)) graph.get(from)?.add(to)
    }
  }
  return graph
}

/** A file directly in one of the big folders stands for itself. */
export function folderOf(path: string): string {
  const parts = path.split('/')
  return parts.slice(0, parts[0] === 'renderer' && parts[1] === 'features' ? 3 : 2).join('/')
}

/** Tarjan's algorithm: groups of nodes that all reach each other, members sorted. */
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
