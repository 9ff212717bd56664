import type { Tool } from '../agent/ports/tool.ts'

/** Characters per token in lists of tools, which are JSON. */
const CHARS_PER_TOKEN = 4

/**
 * Maximum number of estimated tokens of tools that are sent with each request: a twentieth of a typical context window. If there are more,
 * the model searches for tools instead.
 */
export const SEARCHED_ABOVE = 10_000

const known = new WeakMap<Tool, number>()

/** Estimated tokens of these tools in a request. */
export function tokensOf(tools: readonly { readonly tool: Tool }[]): number {
  return tools.reduce((sum, { tool }) => sum + tokensOfTool(tool), 0)
}

function tokensOfTool(tool: Tool): number {
  const counted = known.get(tool)
  if (counted !== undefined) return counted
  const tokens = Math.ceil(JSON.stringify(tool.definition).length / CHARS_PER_TOKEN)
  known.set(tool, tokens)
  return tokens
}
