import type { DurableEvent, SessionConfigured } from '../../../shared/session/events.ts'
import type { ProviderFailure, ToolDefinition } from '../ports/provider.ts'
import type { ToolRegistry } from '../ports/tool.ts'

type ModelName = Pick<SessionConfigured, 'provider' | 'model'>
type Warning = Extract<DurableEvent, { readonly kind: 'WARNING' }>

/**
 * Which tools are not offered to a model because its service refused their definition. Derived only from the log, so that requests stay
 * the same after a restart.
 */
export interface OmittedTools {
  add(event: DurableEvent): void
  /** Returns the definitions without the refused ones. Returns the same array until something changes. */
  offered(definitions: readonly ToolDefinition[], model: ModelName): readonly ToolDefinition[]
}

export function createOmittedTools(): OmittedTools {
  let config: ModelName = { provider: 'anthropic', model: '' }
  const refused = new Map<string, ReadonlySet<string>>()
  let made: {
    readonly from: readonly ToolDefinition[]
    readonly without: ReadonlySet<string>
    readonly list: readonly ToolDefinition[]
  } | null = null
  return {
    add(event) {
      if (event.kind === 'SESSION_START' || event.kind === 'SESSION_CONFIGURED') config = { provider: event.provider, model: event.model }
      if (event.kind !== 'WARNING' || event.refusedTool === undefined) return
      refused.set(keyOf(config), new Set([...(refused.get(keyOf(config)) ?? []), event.refusedTool]))
    },
    offered(definitions, model) {
      const without = refused.get(keyOf(model))
      if (without === undefined) return definitions
      if (made?.from !== definitions || made.without !== without)
        made = { from: definitions, without, list: definitions.filter(({ name }) => !without.has(name)) }
      return made.list
    },
  }
}

const keyOf = ({ provider, model }: ModelName): string => `${provider}\0${model}`

/**
 * The name of the tool whose definition the service refused. Null if the refusal names none of these tools, or one that the agent cannot
 * work without. `sent`: the tools in the order of the request.
 */
export function refusedTool({ code, message }: ProviderFailure, sent: readonly ToolDefinition[], registry: ToolRegistry): string | null {
  if (code !== 'invalid_request' || IN_CONVERSATION.test(message)) return null
  const index = (OF_DECLARATION.exec(message) ?? OF_TOOL.exec(message))?.[1]
  const meant = index === undefined ? sent.find(({ name }) => names(message, name)) : sent[Number(index)]
  return meant && registry.get(meant.name)?.isForeign === true ? meant.name : null
}

/** The place of a tool in the list, as `tools.33.custom`, `tools[33].function`, or `"tools",33`. */
const OF_TOOL = /\btools["'\]]{0,2}[[.,\s]{1,3}(\d+)/iu
/** Gemini has one entry in `tools`, which contains a list with all tools. */
const OF_DECLARATION = /function_?declarations["'\]]{0,2}[[.,\s]{1,3}(\d+)/iu
/** The service refused a message of the conversation, not a tool, even if the message mentions one. */
const IN_CONVERSATION = /\b(messages|input|contents)["'\]]{0,2}[[.,]\s?\d/iu
const OF_DEFINITION = /tool|function|schema/iu

/** A name that may also be an ordinary word counts only in quotes. */
function names(message: string, name: string): boolean {
  if (!OF_DEFINITION.test(message)) return false
  const escaped = name.replaceAll(/[^\w]/gu, '\\$&')
  const whole = name.includes('_') ? `(?<![\\w-])${escaped}(?![\\w-])` : `["'\`“‘]${escaped}["'\`”’]`
  return new RegExp(whole, 'u').test(message)
}

/** `why`: the message of the service's refusal. */
export function toolLeftOut(tool: string, { model }: ModelName, why: string): Warning {
  return {
    kind: 'WARNING',
    refusedTool: tool,
    trouble: {
      code: 'tool_left_out',
      what: `The service refused the tool ${tool}, so the request is repeated without it: ${why}`,
      kept: `All other tools stay. ${model} is not offered this tool again in this session.`,
      todo: 'Have the definition of the tool corrected, then start a new session.',
    },
  }
}
