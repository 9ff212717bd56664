import type { ToolDefinition } from '../../agent/ports/provider.ts'

/** A letter or `_` first, then letters, digits, `_` and `-`: what every service takes (L-18). */
const NAME = /^[A-Za-z_][\w-]{0,63}$/

/** Lists that were found to be good; a list is the same object as long as it has the same tools. */
const good = new WeakSet<readonly ToolDefinition[]>()

/** Why services would refuse every request with these tools, as a sentence; null: they take them. */
export function wrongTool(tools: readonly ToolDefinition[]): string | null {
  if (good.has(tools)) return null
  const seen = new Set<string>()
  for (const { name, parameters } of tools) {
    if (!NAME.test(name)) return `No service takes a tool named “${name}”: letters, digits, _ and - only, a letter or _ first, at most 64.`
    if (seen.has(name)) return `Two tools are named “${name}”.`
    if ((parameters['type'] ?? 'object') !== 'object') return `The arguments of the tool “${name}” are no object.`
    seen.add(name)
  }
  good.add(tools)
  return null
}
