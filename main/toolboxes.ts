import type { SessionConfigured } from '../shared/session/events.ts'
import type { Toolbox } from './agent/ports/model.ts'
import type { Tool } from './agent/ports/tool.ts'
import { createToolRegistry } from './agent/registry.ts'
import { READING_TOOLS } from './agent/subagents/agent-types.ts'
import { profileFor } from './profiles/profile-for.ts'
import type { ProviderProfile } from './profiles/profile.ts'
import { MAX_COMMAND_MS } from './tools/time-limit.ts'

export interface ToolboxParts {
  /** Built-in ones, of which each profile names its own. */
  readonly tools: readonly Tool[]
  /** Others that this session has with every profile, behind those (P2-36). */
  readonly own: readonly Tool[]
  /** Only what reads. */
  readonly readsOnly: boolean
}

/** One registry for each profile, since a registry's definitions are told by identity (T-06: none is shared between sessions). */
export function createToolboxes({
  tools,
  own,
  readsOnly,
}: ToolboxParts): (config: Pick<SessionConfigured, 'provider' | 'model'>) => Toolbox {
  const made = new Map<ProviderProfile, Toolbox>()
  return ({ provider, model }) => {
    const profile = profileFor(provider, model)
    const known = made.get(profile)
    if (known) return known
    const named = tools.filter(({ definition }) => profile.toolNames.includes(definition.name))
    const registry = createToolRegistry([...named, ...own].filter(({ definition }) => !readsOnly || READING_TOOLS.has(definition.name)))
    const limits = { defaultCommandMs: profile.defaultCommandTimeout, maxCommandMs: MAX_COMMAND_MS }
    const toolbox = { registry, limits, parallel: profile.supportsParallelToolCalls }
    made.set(profile, toolbox)
    return toolbox
  }
}
