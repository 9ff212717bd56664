import { Buffer } from 'node:buffer'
import type { JsonValue } from '../../shared/session/content.ts'
import type { ApprovalMode } from '../../shared/session/settings/approval-mode.ts'
import type { Hook, HookRun } from '../../shared/session/hooks.ts'
import type { ListedHook, ListedHooks } from '../../shared/api/hooks.ts'
import { SessionId } from '../../shared/lib/ids.ts'
import type { Workspaces } from '../workspace/workspaces.ts'
import { exampleOf } from './example-moment.ts'
import type { Trouble } from '../../shared/session/events.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import type { Confined } from '../agent/ports/command-copies.ts'
import type { HookAnswer, HookMoment, Hooks } from '../agent/ports/hooks.ts'
import type { Redactor } from '../agent/ports/redactor.ts'
import { foreignInput, foreignName, ownInput } from './foreign-call.ts'
import { withVariables } from './session-variables.ts'
import { type HookEnd, type HookSays, hookSays } from './hook-answer.ts'
import { isFor } from './matcher.ts'
import { confineIn, type ConfineHook, type ConfineParts, type OpenFolder, WAS_CONFINED } from './confined-hooks.ts'
import { findHooks, type FoundHooks, type UnusedHook } from './read-hooks.ts'

export interface HookParts {
  readonly hooks: readonly Hook[]
  readonly env: ExecutionEnvironment
  /** Real path of the project. */
  readonly project: string
  readonly sessionId: SessionId
  readonly redactor: Redactor
  /** Left out: they run with all rights of the person. */
  readonly confine?: ConfineHook
  /** Called after each run. */
  readonly onRun?: (run: HookRun) => void
}

/** Bytes of a hook's output that are read. */
const MAX_OUTPUT = 256 * 1024
const MAX_SAYS = 2_000

const NO_ANSWER: HookAnswer = { runs: [], decision: null, reason: '', updatedInput: null, context: '', stop: null }

export interface HookPlaces extends ConfineParts {
  readonly workspaces: Pick<Workspaces, 'open'>
  readonly redactor: Redactor
  readonly home: string
  readonly dataFolder: string
  /** Nothing of a folder is read before it is trusted. */
  isTrusted(folder: string): boolean
}

/** What tells the hooks of a folder apart. */
type NamedHook = Pick<Hook, 'event' | 'matcher' | 'command'>

/** The hooks of sessions and of the settings page. */
export interface AppHooks {
  /** Of a session in a trusted folder, and those that do not run. */
  forSession(
    session: { readonly sessionId: SessionId },
    workspace: OpenFolder,
  ): Promise<{ readonly hooks: Hooks | null; readonly troubles: readonly Trouble[] }>
  list(folder: string): Promise<ListedHooks>
  /** Null: there is no such hook. */
  tryOut(folder: string, hook: NamedHook): Promise<HookRun | null>
  /** Lets a hook run with all rights of the person, or confines it again. False: there is no such hook. */
  setFree(folder: string, hook: NamedHook, isFree: boolean): Promise<boolean>
}

export function createAppHooks({ workspaces, redactor, isTrusted, ...places }: HookPlaces): AppHooks {
  const last = new Map<string, ListedHook['last']>()
  const keyOf = ({ event, command }: Pick<Hook, 'event' | 'command'>): string => `${event} ${command}`
  const onRun = ({ outcome, durationMs, says, ...run }: HookRun): void => {
    last.set(keyOf(run), { outcome, durationMs, says, at: Date.now() })
  }
  const opened = async <T>(folder: string, otherwise: T, work: (open: OpenFolder) => Promise<T>): Promise<T> => {
    const open = isTrusted(folder) ? await workspaces.open(folder) : null
    if (!open?.ok) return otherwise
    try {
      return await work(open.value)
    } finally {
      await open.value.close()
    }
  }
  const found = ({ environment: env, folder: project }: OpenFolder): Promise<FoundHooks> => findHooks({ env, project, ...places })
  const named = async (open: OpenFolder, wanted: NamedHook): Promise<Hook | undefined> =>
    (await found(open)).hooks.find((one) => keyOf(one) === keyOf(wanted) && one.matcher === wanted.matcher)
  const hooksOf = (hooks: readonly Hook[], open: OpenFolder, sessionId: SessionId): Hooks =>
    createHooks({ hooks, env: open.environment, project: open.folder, sessionId, redactor, onRun, confine: confineIn(open, places) })
  return {
    async forSession({ sessionId }, workspace) {
      const { hooks, unused } = await found(workspace)
      return { hooks: hooks.length === 0 ? null : hooksOf(hooks, workspace, sessionId), troubles: unused.map(unusedHook) }
    },
    list: (folder) =>
      opened<ListedHooks>(folder, { hooks: [], unused: [], canConfine: false }, async (open) => {
        const { hooks, unused } = await found(open)
        const canConfine = (await open.copies?.support())?.kind === 'present'
        const listed = hooks.map((hook) => ({ ...hook, isFree: places.free.has(open.folder, hook), last: last.get(keyOf(hook)) ?? null }))
        return { hooks: listed, unused, canConfine }
      }),
    tryOut: (folder, wanted) =>
      opened<HookRun | null>(folder, null, async (open) => {
        const hook = await named(open, wanted)
        if (!hook) return null
        const tried = hooksOf([{ ...hook, matcher: '' }], open, SessionId.parse('example'))
        const { runs } = await tried.run(exampleOf(hook.event), { mode: 'ask', signal: AbortSignal.timeout(hook.timeoutMs + 1_000) })
        return runs[0] ?? null
      }),
    setFree: (folder, wanted, isFree) =>
      opened(folder, false, async (open) => {
        const hook = await named(open, wanted)
        if (hook) places.free.set(open.folder, hook, isFree)
        return hook !== undefined
      }),
  }
}

function unusedHook({ source, why }: UnusedHook): Trouble {
  return {
    code: 'hook_unused',
    what: `Not used, in ${source}: ${why}`,
    kept: 'The file, and everything else in it.',
    todo: 'Settings, Hooks lists what runs, and Settings, Rules imports permissions.',
  }
}

/** The hooks of one session, as processes in the project's folder. */
export function createHooks(parts: HookParts): Hooks {
  return {
    waitFor: (event) => parts.hooks.some((hook) => hook.event === event),
    async run(moment, { mode, signal }) {
      const hooks = parts.hooks.filter((hook) => isFor(hook, moment))
      if (hooks.length === 0) return NO_ANSWER
      const input = JSON.stringify(inputOf(moment, mode, parts))
      const ran = await Promise.all(hooks.map((hook) => runHook(hook, { moment, input }, parts, signal)))
      for (const { run } of ran) parts.onRun?.(run)
      signal.throwIfAborted()
      return together(ran)
    },
  }
}

interface Ran {
  readonly run: HookRun
  readonly says: HookSays
}

async function runHook(
  hook: Hook,
  { moment, input }: { readonly moment: HookMoment; readonly input: string },
  { redactor, ...parts }: HookParts,
  signal: AbortSignal,
): Promise<Ran> {
  const began = performance.now()
  const start = hook.event === 'SessionStart' ? withVariables(hook.command) : null
  const { isConfined, ...whole } = await ended(hook, start?.argv ?? ['sh', '-c', hook.command], input, parts, signal)
  const variables = start?.read(whole.stdout)
  const end = { ...whole, stdout: variables?.stdout ?? whole.stdout }
  const said = hookSays(moment.event, end)
  const reason = isConfined && said.outcome === 'failed' ? `${said.reason} ${WAS_CONFINED}` : said.reason
  const says = { ...said, reason: redactor.text(reason), context: redactor.text(said.context) }
  const updatedInput = said.updatedInput && ownInput(said.updatedInput)
  const run: HookRun = {
    ...{ event: hook.event, command: hook.command, source: hook.source, outcome: says.outcome },
    aboutCall: 'toolCallId' in moment ? moment.toolCallId : null,
    durationMs: Math.round(performance.now() - began),
    says: [says.reason || says.context, notSet(variables?.refused ?? [])]
      .filter((text) => text !== '')
      .join(' ')
      .slice(0, MAX_SAYS),
    ...(variables && Object.keys(variables.set).length > 0 && { variables: redacted(variables.set, redactor) }),
    ...(isConfined && { isConfined }),
    ...(updatedInput && { updatedInput }),
  }
  return { run, says: { ...says, updatedInput } }
}

const notSet = (names: readonly string[]): string =>
  names.length === 0
    ? ''
    : `Not set, because they hold secrets or would run code in every command: ${names.toSorted().join(', ')}. Settings, Limits can pass them from your environment.`

function redacted(variables: Readonly<Record<string, string>>, redactor: Redactor): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, redactor.text(value)]))
}

async function ended(
  hook: Hook,
  argv: readonly [string, ...string[]],
  stdin: string,
  { env, project, confine }: Pick<HookParts, 'env' | 'project' | 'confine'>,
  signal: AbortSignal,
): Promise<HookEnd & Pick<HookRun, 'isConfined'>> {
  let confinement: Confined | null = null
  const end = (said: HookEnd): HookEnd & Pick<HookRun, 'isConfined'> => ({ ...said, ...(confinement && { isConfined: true }) })
  try {
    confinement = (await confine?.(hook)) ?? null
    const { exitCode, stdout, stderr } = await env.spawn(argv, {
      ...{ workingDir: project, input: Buffer.from(stdin), signal, timeoutMs: hook.timeoutMs, maxBytes: MAX_OUTPUT },
      env: { CLAUDE_PROJECT_DIR: project, COUNTERSIGN_PROJECT_DIR: project },
      ...(confinement && { confinement }),
    })
    return end({ exitCode, stdout: Buffer.from(stdout).toString('utf8'), stderr, why: 'it was ended by a signal' })
  } catch (error) {
    return end({
      ...{ exitCode: null, stdout: '', stderr: '' },
      why: error instanceof Error ? error.message.replace(/\.$/u, '') : String(error),
    })
  } finally {
    // What is left of it is removed by the next start.
    await confinement?.close().catch(() => {})
  }
}

/** `deny` beats `ask`, `ask` beats `allow`. Of several hooks that change the arguments, the last one counts. */
function together(ran: readonly Ran[]): HookAnswer {
  const all = ran.map(({ says }) => says)
  const decision = (['deny', 'ask', 'allow'] as const).find((kind) => all.some((says) => says.decision === kind)) ?? null
  const texts = (of: readonly string[]): string => of.filter((text) => text !== '').join('\n')
  return {
    runs: ran.map(({ run }) => run),
    decision,
    reason: texts(all.filter((says) => says.decision === decision).map(({ reason }) => reason)),
    updatedInput: decision === 'deny' ? null : (all.findLast(({ updatedInput }) => updatedInput !== null)?.updatedInput ?? null),
    context: texts(all.map(({ context }) => context)),
    stop: all.find(({ stop }) => stop !== null)?.stop ?? null,
  }
}

/** Claude Code's names of our modes. */
const FOREIGN_MODES: Readonly<Record<ApprovalMode, string>> = {
  ...{ plan: 'plan', ask: 'default', auto: 'auto', full: 'bypassPermissions' },
  'accept-edits': 'acceptEdits',
}

/** What a hook reads, under the names that Claude Code gives it. */
function inputOf(moment: HookMoment, mode: ApprovalMode, { sessionId, project }: HookParts): { readonly [key: string]: JsonValue } {
  const base = {
    session_id: sessionId,
    transcript_path: '',
    cwd: project,
    permission_mode: FOREIGN_MODES[mode],
    hook_event_name: moment.event,
  }
  switch (moment.event) {
    case 'PreToolUse':
      return { ...base, ...callOf(moment), tool_use_id: moment.toolCallId }
    case 'PermissionRequest':
      return { ...base, ...callOf(moment) }
    case 'PostToolUse':
      return { ...base, ...callOf(moment), tool_use_id: moment.toolCallId, tool_response: moment.output }
    case 'UserPromptSubmit':
      return { ...base, prompt: moment.prompt }
    case 'Stop':
    case 'SubagentStop':
      return { ...base, stop_hook_active: moment.isContinued, last_assistant_message: moment.lastWords }
    case 'PreCompact':
      return { ...base, trigger: 'auto', custom_instructions: null }
    case 'SessionStart':
      return { ...base, source: moment.source }
    case 'SessionEnd':
      return { ...base, reason: 'other' }
    case 'Notification':
      return { ...base, message: moment.message, notification_type: moment.type }
  }
}

const callOf = ({ toolName, args }: { readonly toolName: string; readonly args: { readonly [key: string]: JsonValue } }) => ({
  tool_name: foreignName(toolName),
  tool_input: foreignInput(args),
})
