import type { ParentLink, SessionConfigured } from '../shared/session/events.ts'
import type { Toolbox } from './agent/ports/model.ts'
import type { Tool } from './agent/ports/tool.ts'
import { createToolRegistry } from './agent/registry.ts'
import { READING_TOOLS } from './agent/subagents/agent-types.ts'
import { profileFor } from './profiles/profile-for.ts'
import type { ProviderProfile } from './profiles/profile.ts'
import { MAX_COMMAND_MS } from './tools/time-limit.ts'

export interface ToolboxParts {
  /** Built-in ones, of which each profile offers its own; the others answer to their names too (D-51). */
  readonly tools: readonly Tool[]
  /** Others that this session has with every profile, behind those (P2-36). */
  readonly own: readonly Tool[]
  /** What a subagent was given; null: a person's session, which has all. */
  readonly given: Pick<ParentLink, 'readsOnly' | 'tools'> | null
  /** What the person set for commands, in ms; asked for each call. Undefined: nothing (D-46). */
  commandLimitMs(): number | undefined
}

/** One registry for each profile, since a registry's definitions are told by identity (T-06: none is shared between sessions). */
export function createToolboxes({
  tools,
  own,
  given,
  commandLimitMs,
}: ToolboxParts): (config: Pick<SessionConfigured, 'provider' | 'model'>) => Toolbox {
  const made = new Map<ProviderProfile, Toolbox>()
  return ({ provider, model }) => {
    const profile = profileFor(provider, model)
    const known = made.get(profile)
    if (known) return known
    const may = ({ definition }: Tool): boolean => given === null || isGiven(definition.name, given)
    const isNamed = ({ definition }: Tool): boolean => profile.toolNames.includes(definition.name)
    const unoffered = tools.filter((tool) => !isNamed(tool) && may(tool))
    const registry = createToolRegistry([...tools.filter(isNamed), ...own].filter(may), unoffered)
    const limits = {
      defaultCommandMs: profile.defaultCommandTimeout,
      longCommandMs: profile.longCommandTimeout,
      maxCommandMs: MAX_COMMAND_MS,
      get sessionCommandMs() {
        return commandLimitMs()
      },
    }
    const toolbox = { registry, limits, parallel: profile.supportsParallelToolCalls }
    made.set(profile, toolbox)
    return toolbox
  }
}

/** A subagent never leaves mode plan by itself: its parent's mode is not its own to go beyond. */
function isGiven(name: string, { readsOnly, tools }: Pick<ParentLink, 'readsOnly' | 'tools'>): boolean {
  if (name === 'exit_plan_mode' || (readsOnly && !READING_TOOLS.has(name))) return false
  return tools === undefined || tools.includes(name)
}
