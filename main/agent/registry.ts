import type { Tool, ToolRegistry } from './ports/tool.ts'
import type { ToolDefinition } from './ports/provider.ts'

/**
 * P2-35, P2-36: keyed on the name (a tool answers to its other names too, where no tool is called so, and then whatever their case), latest wins, `unregister` brings no older one back. `definitions()` stays the same array until the
 * registry changes, so that an adapter serialises the tool list once. A session makes its own from `profile.list()` (T-06). `unoffered`: tools that
 * answer to their names where no other does, without being offered (D-51: a model may know a name from elsewhere).
 */
export function createToolRegistry(initial: Iterable<Tool> = [], unoffered: readonly Tool[] = []): ToolRegistry {
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
    get(name, args) {
      const own = tools.get(name)
      if (own) return own
      const offered = [...tools.values()]
      return (
        named(name, offered, args) ?? named(name, unoffered, args) ?? alike(name, offered, args) ?? alike(name, unoffered, args) ?? null
      )
    },
    // A family's name that another tool has is not given twice.
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
