import type { StopReason } from '../../../shared/session/events.ts'
import { parseArguments } from '../answer/parse-arguments.ts'
import type { Tool, ToolOutput, ToolRegistry } from '../ports/tool.ts'

/** A call whose tool exists and whose arguments the tool accepts, or its end. Never an exception (P3-16, P3-17). */
export type FoundCall =
  | { readonly kind: 'found'; readonly tool: Tool; readonly value: unknown }
  | { readonly kind: 'ended'; readonly tool: Tool | null; readonly output: ToolOutput }

export interface AskedCall {
  readonly toolName: string
  readonly argsText: string
}

/** the reference's tool, by both of its names. */
const SLASH_COMMANDS: ReadonlySet<string> = new Set(['slash_command', 'SlashCommand'])
const NO_SLASH_COMMANDS = 'There are no slash commands. Do the work with the tools. '

export function findCall({ toolName, argsText }: AskedCall, stopReason: StopReason, registry: ToolRegistry): FoundCall {
  const parsed = parseArguments(argsText, stopReason)
  const tool = registry.get(toolName, parsed.ok ? parsed.value : undefined)
  if (!tool) return ended(null, `Unknown tool: ${toolName}. ${SLASH_COMMANDS.has(toolName) ? NO_SLASH_COMMANDS : ''}${namesOf(registry)}`)
  if (!parsed.ok) return ended(tool, `Invalid arguments for ${toolName}: ${parsed.failure}`)
  return validated(tool, toolName, parsed.value)
}

function validated(tool: Tool, toolName: string, args: unknown): FoundCall {
  try {
    const valid = tool.validate(args)
    return valid.ok ? { kind: 'found', tool, value: valid.value } : ended(tool, `Invalid arguments for ${toolName}: ${valid.failure}`)
  } catch (error) {
    return ended(tool, toolError(error))
  }
}

/** P3-18. */
export function toolError(error: unknown): string {
  return `Tool error: ${error instanceof Error ? error.message : String(error)}`
}

export function errorOutput(output: string): ToolOutput {
  return { output, isError: true, details: null }
}

function ended(tool: Tool | null, output: string): FoundCall {
  return { kind: 'ended', tool, output: errorOutput(output) }
}

function namesOf(registry: ToolRegistry): string {
  const names = registry.definitions().map(({ name }) => name)
  return names.length > 0 ? `Available tools: ${names.join(', ')}.` : 'There are no tools.'
}
