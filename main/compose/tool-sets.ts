import { QUESTION_TOOL } from '../../shared/workflow/question.ts'
import { bashOutputSpec, killShellSpec } from '../../shared/tools/built-in/background-commands.ts'
import { READING_TOOLS } from '../../shared/tools/catalogue.ts'
import { exitPlanModeSpec } from '../../shared/tools/built-in/exit-plan-mode.ts'
import { readOutputSpec } from '../../shared/tools/built-in/read-output.ts'
import { saveMemorySpec } from '../../shared/tools/built-in/save-memory.ts'
import { bashSpec, shellSpec } from '../../shared/tools/built-in/shell.ts'
import type { ParentLink, SessionConfigured } from '../../shared/session/events.ts'
import type { ToolSet } from '../agent/ports/model.ts'
import type { Tool } from '../agent/ports/tool.ts'
import { createToolRegistry } from '../agent/tool-registry.ts'
import { toolInFamily } from '../model-families/tool-in-family.ts'
import { leanProfile, leanTool } from '../model-families/lean-profile.ts'
import { profileForModel } from '../model-families/profile-for-model.ts'
import type { ProviderProfile } from '../model-families/family-profile.ts'
import { MAX_COMMAND_MS } from '../../shared/session/settings/session-config.ts'

/** The changes that an embedding program made to the tools. This remains the same object as long as nothing changes. */
export interface ToolChanges {
  /** Added tools. They replace built-in tools with the same name. */
  readonly added: readonly Tool[]
  readonly removed: ReadonlySet<string>
  /** Tools that are offered once the model has found them. If absent, there are none. */
  readonly deferred?: readonly Tool[]
}

const UNCHANGED: ToolChanges = { added: [], removed: new Set() }

/** A model and its address. Without an address, the provider's default address applies. */
export type ModelName = Pick<SessionConfigured, 'provider' | 'model'> & Partial<Pick<SessionConfigured, 'baseUrl'>>

export interface ToolSetParts {
  /** Built-in tools. Each profile offers some of them. The others can be called too, because a model may know them from elsewhere. */
  readonly tools: readonly Tool[]
  /** Additional tools that this session has under every profile, listed after the profile's tools. */
  readonly own: readonly Tool[]
  /** The tools that a subagent was given. Null for a user's session, which has all tools. */
  readonly given: Pick<ParentLink, 'readsOnly' | 'tools' | 'excludedTools'> | null
  /** Returns the user's time limit for commands, in ms. Read for each call. Undefined if not set. */
  commandLimitMs(): number | undefined
  /** Whether a model has a small context window, so that it gets fewer tools. Default: no model has. */
  readonly isSmall?: (config: ModelName) => boolean
  /** Read for each request. If left out, there are no changes. */
  readonly changes?: (() => ToolChanges) | undefined
}

/**
 * Each session has its own registries, one per profile. A registry is reused until the tool changes are replaced, because adapters cache
 * tool lists by identity.
 */
export function createToolSets({
  tools,
  own,
  given,
  commandLimitMs,
  isSmall = () => false,
  changes = () => UNCHANGED,
}: ToolSetParts): (config: ModelName) => ToolSet {
  const made = new Map<ProviderProfile, { readonly toolSet: ToolSet; readonly of: ToolChanges }>()
  return (config) => {
    const whole = profileForModel(config.provider, config.model)
    const isLean = isSmall(config)
    const profile = isLean ? leanProfile(whole) : whole
    const changed = changes()
    const before = made.get(profile)
    if (before?.of === changed) return before.toolSet
    const { added, removed, deferred = [] } = changed
    const may = ({ definition: { name } }: Tool): boolean => !removed.has(name) && (given === null || isGiven(name, given))
    const isInProfile = ({ definition }: Tool): boolean => profile.toolNames.includes(definition.name)
    const isReplaced = ({ definition }: Tool): boolean => added.some((tool) => tool.definition.name === definition.name)
    const unoffered = tools.filter((tool) => !isInProfile(tool) && !isReplaced(tool) && may(tool))
    const known = (tool: Tool): Tool => toolInFamily(profile.id, tool)
    const named = tools.filter(isInProfile).map(known)
    const offered = isLean ? [...named.map(leanTool), ...added] : [...named, ...own, ...added]
    const registry = createToolRegistry(offered.filter(may), unoffered.map(known), deferred.filter(may))
    const limits = {
      defaultCommandMs: profile.defaultCommandTimeout,
      longCommandMs: profile.longCommandTimeout,
      maxCommandMs: MAX_COMMAND_MS,
      get sessionCommandMs() {
        return commandLimitMs()
      },
    }
    const toolSet = { registry, limits, parallel: profile.supportsParallelToolCalls }
    made.set(profile, { toolSet, of: changed })
    return toolSet
  }
}

/** Each companion tool, with the tools whose results refer to it. A subagent that has one of those tools also gets the companion tool. */
const COMPANIONS: ReadonlyMap<string, readonly string[]> = new Map([
  [bashOutputSpec.name, [shellSpec.name, bashSpec.name]],
  [killShellSpec.name, [shellSpec.name, bashSpec.name]],
])

/** Only a user's session leaves plan mode or keeps notes. A subagent puts notable facts in its report. */
const PERSONS_OWN: ReadonlySet<string> = new Set([exitPlanModeSpec.name, saveMemorySpec.name])

function isGiven(
  name: string,
  { readsOnly, tools, excludedTools = [] }: Pick<ParentLink, 'readsOnly' | 'tools' | 'excludedTools'>,
): boolean {
  // In a subagent, this tool answers that nobody can be asked.
  if (name === QUESTION_TOOL) return true
  if (PERSONS_OWN.has(name) || (readsOnly && !READING_TOOLS.has(name))) return false
  if (isListed(excludedTools, name)) return false
  if (tools === undefined || name === readOutputSpec.name) return true
  return [name, ...(COMPANIONS.get(name) ?? [])].some((one) => isListed(tools, one))
}

const isListed = (tools: readonly string[], name: string): boolean => tools.some((tool) => tool === name || isOfServer(name, tool))

/** `mcp__server` and `mcp__server__*` stand for all tools of an MCP server, and `mcp__*` for those of all servers. */
const isOfServer = (name: string, tool: string): boolean => tool.startsWith('mcp__') && name.startsWith(`${tool.replace(/__\*$/u, '')}__`)
