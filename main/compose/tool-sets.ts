import type { ParentLink, SessionConfigured } from '../../shared/session/events.ts'
import type { Toolbox } from '../agent/ports/model.ts'
import type { Tool } from '../agent/ports/tool.ts'
import { createToolRegistry } from '../agent/registry.ts'
import { READING_TOOLS } from '../subagents/built-in-types.ts'
import { inFamily } from '../profiles/in-family.ts'
import { leanProfile, leanTool } from '../profiles/lean.ts'
import { profileFor } from '../profiles/profile-for.ts'
import type { ProviderProfile } from '../profiles/profile.ts'
import { MAX_COMMAND_MS } from '../tools/commands/time-limit.ts'

/** What a host that embeds the app changed about the tools: the same object while nothing changes. */
export interface ToolChanges {
  /** By name they take the place of built-in ones. */
  readonly added: readonly Tool[]
  readonly removed: ReadonlySet<string>
}

const UNCHANGED: ToolChanges = { added: [], removed: new Set() }

/** Which model is meant, and where it is asked; without an address: at the usual one. */
export type ModelName = Pick<SessionConfigured, 'provider' | 'model'> & Partial<Pick<SessionConfigured, 'baseUrl'>>

export interface ToolboxParts {
  /** Built-in ones, of which each profile offers its own; the others answer to their names too (D-51). */
  readonly tools: readonly Tool[]
  /** Others that this session has with every profile, behind those (P2-36). */
  readonly own: readonly Tool[]
  /** What a subagent was given; null: a person's session, which has all. */
  readonly given: Pick<ParentLink, 'readsOnly' | 'tools'> | null
  /** What the person set for commands, in ms; asked for each call. Undefined: nothing (D-46). */
  commandLimitMs(): number | undefined
  /** Whether the model of a configuration has a small window, so that it is given less; left out: none has. */
  readonly isSmall?: (config: ModelName) => boolean
  /** Asked for each request; left out: nobody changes anything. */
  readonly changes?: (() => ToolChanges) | undefined
}

/** One registry for each profile, since a registry's definitions are told by identity (T-06: none is shared between sessions). */
export function createToolboxes({
  tools,
  own,
  given,
  commandLimitMs,
  isSmall = () => false,
  changes = () => UNCHANGED,
}: ToolboxParts): (config: ModelName) => Toolbox {
  const made = new Map<ProviderProfile, { readonly toolbox: Toolbox; readonly of: ToolChanges }>()
  return (config) => {
    const whole = profileFor(config.provider, config.model)
    const isLean = isSmall(config)
    const profile = isLean ? leanProfile(whole) : whole
    const changed = changes()
    const before = made.get(profile)
    if (before?.of === changed) return before.toolbox
    const { added, removed } = changed
    const may = ({ definition: { name } }: Tool): boolean => !removed.has(name) && (given === null || isGiven(name, given))
    const isNamed = ({ definition }: Tool): boolean => profile.toolNames.includes(definition.name)
    const isReplaced = ({ definition }: Tool): boolean => added.some((tool) => tool.definition.name === definition.name)
    const unoffered = tools.filter((tool) => !isNamed(tool) && !isReplaced(tool) && may(tool))
    const known = (tool: Tool): Tool => inFamily(profile.id, tool)
    const named = tools.filter(isNamed).map(known)
    const offered = isLean ? [...named.map(leanTool), ...added] : [...named, ...own, ...added]
    const registry = createToolRegistry(offered.filter(may), unoffered.map(known))
    const limits = {
      defaultCommandMs: profile.defaultCommandTimeout,
      longCommandMs: profile.longCommandTimeout,
      maxCommandMs: MAX_COMMAND_MS,
      get sessionCommandMs() {
        return commandLimitMs()
      },
    }
    const toolbox = { registry, limits, parallel: profile.supportsParallelToolCalls }
    made.set(profile, { toolbox, of: changed })
    return toolbox
  }
}

/** Tools that others refer to in what they return: whoever has those has them too. */
const COMPANIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ['bash_output', ['shell', 'bash']],
  ['kill_shell', ['shell', 'bash']],
])

/** Only a person's session leaves mode plan, and only it keeps notes: a subagent reports what is worth noting. */
const PERSONS_OWN: ReadonlySet<string> = new Set(['exit_plan_mode', 'save_memory'])

function isGiven(name: string, { readsOnly, tools }: Pick<ParentLink, 'readsOnly' | 'tools'>): boolean {
  // It tells a subagent that nobody can be asked.
  if (name === 'ask_user_question') return true
  if (PERSONS_OWN.has(name) || (readsOnly && !READING_TOOLS.has(name))) return false
  return tools === undefined || name === 'read_output' || [name, ...(COMPANIONS.get(name) ?? [])].some((one) => tools.includes(one))
}
