import type { SessionSummary } from '../shared/api/sessions.ts'
import { failed, ok, type Result } from '../shared/lib/result.ts'
import type { SessionConfigured, Trouble } from '../shared/session/events.ts'
import type { TurnLimits } from './agent/loop.ts'
import type { Clock } from './agent/ports/clock.ts'
import type { Toolbox } from './agent/ports/model.ts'
import type { Tool } from './agent/ports/tool.ts'
import { createToolRegistry } from './agent/registry.ts'
import { effectHash } from './approval/effect-hash.ts'
import { captureFiles } from './changes/capture.ts'
import { countChangedLines } from './changes/line-counts.ts'
import type { Models } from './models.ts'
import { profileFor } from './profiles/profile-for.ts'
import type { ProviderProfile } from './profiles/profile.ts'
import type { Workbench } from './sessions/opened-session.ts'
import type { Store } from './store/store.ts'
import type { Terminals } from './terminals/terminals.ts'
import { createTools } from './tools/create-tools.ts'
import { MAX_COMMAND_MS } from './tools/time-limit.ts'
import { truncateToolOutput } from './tools/truncation/truncate.ts'
import type { Workspace } from './workspace/workspace.ts'
import type { Workspaces } from './workspace/workspaces.ts'

/** What the agent's commands see of their terminal before a window says otherwise. */
const TERMINAL = { columns: 120, rows: 30 } as const

export interface WorkbenchParts {
  readonly store: Store
  readonly clock: Clock
  readonly models: Models
  readonly workspaces: Workspaces
  /** Null: commands run on pipes, since nobody can watch (DESIGN §5). */
  readonly terminals: Terminals | null
  /** Whether a folder's documents may be read; asked for each session that is opened. */
  isTrusted(folder: string): boolean
  limits(): TurnLimits
}

/** What one session works with: its folder, its tools, its model. The one place where the agent's ports get their parts. */
export function workbenchFor(parts: WorkbenchParts): (session: SessionSummary) => Promise<Result<Workbench, Trouble>> {
  return async (session) => {
    if (!parts.isTrusted(session.folder)) return failed(notTrusted(session.folder))
    const opened = await parts.workspaces.open(session.folder)
    return opened.ok ? ok(workbench(parts, session, opened.value)) : opened
  }
}

function workbench({ store, clock, models, terminals, limits }: WorkbenchParts, session: SessionSummary, workspace: Workspace): Workbench {
  const { environment: env, isDestructive } = workspace
  const tools = createTools({ isDestructive, countLines: countChangedLines })
  const { blobs } = store
  const { sessionId } = session
  const traces = store.traces(sessionId)
  return {
    modelOf: models.modelIn(env),
    request: models.request,
    limits,
    toolboxOf: createToolboxes(tools),
    workshop: {
      env,
      blobs,
      traces,
      clock,
      policy: workspace.policy,
      place: workspace.place,
      exclusively: workspace.exclusively,
      effectHash,
      openSpool: () => blobs.openSpool(),
      capture: (effects) => captureFiles({ env, blobs }, effects),
      truncate: (toolName, output) => truncateToolOutput(output, toolName),
      terminal: (toolCallId) => terminals && { ...TERMINAL, onOpen: (terminal) => terminals.offer({ sessionId, toolCallId }, terminal) },
    },
    close: workspace.close,
  }
}

/** One registry for each set of tools that a profile names, since a registry's definitions are told by identity (T-06: none is shared between sessions). */
function createToolboxes(tools: readonly Tool[]): (config: SessionConfigured) => Toolbox {
  const made = new Map<ProviderProfile, Toolbox>()
  return ({ provider }) => {
    const profile = profileFor(provider)
    const known = made.get(profile)
    if (known) return known
    const registry = createToolRegistry(tools.filter(({ definition }) => profile.toolNames.includes(definition.name)))
    const limits = { defaultCommandMs: profile.defaultCommandTimeout, maxCommandMs: MAX_COMMAND_MS }
    const toolbox = { registry, limits, parallel: profile.supportsParallelToolCalls }
    made.set(profile, toolbox)
    return toolbox
  }
}

function notTrusted(folder: string): Trouble {
  return {
    code: 'not_trusted',
    what: `${folder} is not trusted, so nothing works in it.`,
    kept: 'The session and all of its history.',
    todo: 'Open the folder and say that you trust it.',
  }
}
