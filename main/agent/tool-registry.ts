import type { Tool, ToolRegistry } from './ports/tool.ts'
import type { ToolDefinition } from './ports/provider.ts'

/**
 * Tools by name. The latest registration wins, and `unregister` does not bring back an older tool. A tool can also be called by its other
 * names and, if no tool has exactly the name, by a name that differs only in case. `definitions()` returns the same array until the
 * registry changes, so that an adapter serializes the list once. `unlisted`: tools that can be called but are not listed, because a model
 * may know their names from elsewhere. `deferred`: tools that are not listed until they are offered with `offer`, because there are too
 * many of them to list in each request.
 */
export function createToolRegistry(
  initial: Iterable<Tool> = [],
  unlisted: readonly Tool[] = [],
  deferred: readonly Tool[] = [],
): ToolRegistry {
  const unoffered = [...unlisted, ...deferred]
  const tools = new Map<string, Tool>()
  const named = (name: string, some: readonly Tool[], args: unknown): Tool | undefined =>
    some.find(({ definition }) => definition.name === name) ??
    some.find((tool) => tool.otherNames?.includes(name) && isMeant(tool, name, args))
  const alike = (name: string, some: readonly Tool[], args: unknown): Tool | undefined => {
    const plain = name.toLowerCase()
    return some.find((tool) => {
      if (tool.definition.name.toLowerCase() === plain) return true
      const other = tool.otherNames?.find((one) => one.toLowerCase() === plain)
      return other !== undefined && isMeant(tool, other, args)
    })
  }
  let definitions: readonly ToolDefinition[] | null = null
  const register = (tool: Tool): void => {
    tools.set(tool.definition.name, tool)
    definitions = null
  }
  for (const tool of initial) register(tool)
  return {
    register,
    unregister(name) {
      if (tools.delete(name)) definitions = null
    },
    offer(names) {
      for (const name of names) {
        const tool = deferred.find(({ definition }) => definition.name === name)
        if (tool && !tools.has(name)) register(tool)
      }
    },
    get(name, args) {
      const own = tools.get(name)
      if (own) return own
      const offered = [...tools.values()]
      return (
        named(name, offered, args) ?? named(name, unoffered, args) ?? alike(name, offered, args) ?? alike(name, unoffered, args) ?? null
      )
    },
    // If the name in the model family's definition already belongs to another tool, the tool is listed with its own definition.
    definitions: () =>
      (definitions ??= [...tools.values()].map(({ definition, offered }) =>
        offered && (offered.name === definition.name || !tools.has(offered.name)) ? offered : definition,
      )),
    list: () => [...tools.values()],
  }
}

function isMeant(tool: Tool, calledAs: string, args: unknown): boolean {
  return typeof args !== 'object' || args === null || (tool.isMeant?.(calledAs, args as Readonly<Record<string, unknown>>) ?? true)
}
