import type { ListedHook, ListedHooks } from '../../shared/api/hooks.ts'
import { SessionId } from '../../shared/lib/ids.ts'
import { isFar } from '../../shared/places/address.ts'
import type { ParentLink, Trouble } from '../../shared/session/events.ts'
import type { ExecutedFile } from '../../shared/session/effects.ts'
import type { Hook, HookRun } from '../../shared/session/hooks.ts'
import type { SessionState } from '../../shared/session/state.ts'
import type { Clock } from '../agent/ports/clock.ts'
import type { Hooks, HooksNow } from '../agent/ports/hooks.ts'
import type { Redactor } from '../agent/ports/redactor.ts'
import { createTransport } from '../providers/http/transport.ts'
import { withoutDenied } from '../rules/denied-files.ts'
import type { RuleWhen } from '../rules/rule-matches.ts'
import type { Workspaces } from '../workspace/workspaces.ts'
import { addressOf, confineIn, type ConfineParts, type OpenFolder } from './confined-hooks.ts'
import type { ConditionPlace } from './hook-condition.ts'
import { exampleOf } from './hook-input.ts'
import { runsOf } from './hook-matcher.ts'
import { createHookRights } from './hook-rights.ts'
import { type RecordedMoment, recordedMoments } from './recorded-moments.ts'
import { findHooks, type HookReading } from './find-hooks.ts'
import type { FoundHooks, UnusedHook } from './hooks-of-settings.ts'
import type { AskModel } from './prompt-hook.ts'
import { createHooks } from './run-hooks.ts'
import { type TranscriptFile, transcriptFile } from '../store/hook-transcripts.ts'

export interface HookPlaces extends ConfineParts {
  readonly workspaces: Pick<Workspaces, 'open'>
  readonly redactor: Redactor
  readonly clock: Clock
  /** This computer, for the user's own hooks if a folder is on another machine. */
  readonly here: HookReading
  readonly home: string
  readonly dataFolder: string
  /** Whether the user trusts the folder. No file of a folder is read before the user trusts it. */
  isTrusted(folder: string): boolean
  /** The rules that apply in a folder at the moment, without those of single sessions. */
  rulesIn(folder: string): readonly RuleWhen[]
  readonly ask: AskModel
  /** The model of a new session, which is used when a hook is tried. */
  defaultModel(): HooksNow['model']
  /** The newest sessions of a folder, each with its newest entries. Hooks can be tried on their events. */
  recentSessions(folder: string): Promise<readonly SessionState[]>
}

/** Time in milliseconds in which a hook's server must accept the connection. */
const CONNECT_MS = 10_000

/** Maximum number of recorded events that are offered for each hook. */
const MAX_MOMENTS = 8

/** The fields that identify a folder's hook. */
type NamedHook = Pick<Hook, 'event' | 'matcher' | 'command'> & { readonly condition?: string | undefined }

/** The hooks for sessions and for the settings page. */
export interface AppHooks {
  /** The hooks for a session in a trusted folder, and the hooks that do not run there. */
  forSession(
    session: { readonly sessionId: SessionId; readonly parent: Pick<ParentLink, 'sessionId' | 'agentType' | 'workingDir'> | null },
    workspace: OpenFolder,
  ): Promise<{ readonly hooks: Hooks | null; readonly troubles: readonly Trouble[] }>
  list(folder: string): Promise<ListedHooks>
  /**
   * `moment` is the id of a recorded event. If it is null or the event is gone, an example is used. Resolves to null if there is no such
   * hook.
   */
  tryOut(folder: string, hook: NamedHook, moment: string | null): Promise<HookRun | null>
  /**
   * Lets a hook run with all of the user's rights, or confines it again. Its scripts are trusted as `list` returned them. Resolves to the
   * scripts that have other content by now, and changes nothing if there are any. Resolves to null if there is no such hook.
   */
  setFree(
    folder: string,
    hook: NamedHook & Pick<ListedHook, 'scripts'>,
    isFree: boolean,
  ): Promise<readonly Pick<ExecutedFile, 'shown'>[] | null>
  close(): void
}

export function createAppHooks({ workspaces, redactor, isTrusted, rulesIn, recentSessions, ...places }: HookPlaces): AppHooks {
  const transport = createTransport({ clock: places.clock, connectMs: CONNECT_MS, proxyEnv: process.env })
  const rights = createHookRights(places)
  const last = new Map<string, ListedHook['last']>()
  const onRun = ({ outcome, durationMs, says, ...run }: HookRun): void => {
    last.set(keyOf(run), { outcome, durationMs, says, at: Date.now() })
  }
  const opened = async <T>(folder: string, otherwise: T, work: (open: OpenFolder) => Promise<T>): Promise<T> => {
    const open = isTrusted(folder) ? await workspaces.open(folder) : null
    if (!open?.ok) return otherwise
    try {
      return await work(withoutDenied(open.value, () => rulesIn(open.value.address)))
    } finally {
      await open.value.close()
    }
  }
  const found = (open: OpenFolder): Promise<FoundHooks> =>
    findHooks({ ...places, env: open.environment, project: open.folder, here: isThere(open) ? places.here : null })
  const named = async (open: OpenFolder, wanted: NamedHook): Promise<Hook | undefined> =>
    (await found(open)).hooks.find(
      (one) => keyOf(one) === keyOf(wanted) && one.matcher === wanted.matcher && one.condition === wanted.condition,
    )
  const homeIn = ({ home = places.home }: OpenFolder): string => home
  const placeOf = (open: OpenFolder): ConditionPlace => ({ home: homeIn(open), root: open.folder, cwd: open.folder })
  const partsOf = (open: OpenFolder) => ({
    env: open.environment,
    project: open.folder,
    home: homeIn(open),
    mayAllow: !isThere(open),
    redactor,
    onRun,
    post: { transport, variables: process.env },
    ask: places.ask,
  })
  // The conversation stays on this computer.
  const transcriptIn = (open: OpenFolder, sessionId: SessionId): TranscriptFile | undefined =>
    isThere(open) ? undefined : transcriptOf(sessionId)
  const transcriptOf = (sessionId: SessionId): TranscriptFile => transcriptFile(places.dataFolder, sessionId)
  return {
    async forSession({ sessionId, parent }, workspace) {
      const { hooks, unused } = await found(workspace)
      await rights.remember(workspace, hooks)
      const transcript = transcriptIn(workspace, sessionId)
      const parentOf = (id: SessionId) => ({ sessionId: id, transcript: transcriptIn(workspace, id)?.path ?? '' })
      // Programs in a layer can read the file only if it exists when the layer's first program starts.
      if (workspace.inside && hooks.length > 0) await transcript?.update([], String)
      const session = {
        confine: confineIn(workspace, places, transcript),
        sessionId,
        ...(transcript && { transcript }),
        ...(parent?.workingDir !== undefined && { cwd: parent.workingDir }),
        ...(parent && { agent: { id: sessionId, type: parent.agentType, parent: parentOf(parent.sessionId) } }),
      }
      return {
        hooks: hooks.length === 0 ? null : createHooks({ ...partsOf(workspace), ...session, hooks }),
        troubles: unused.filter(({ isQuiet }) => !isQuiet).map(unusedHook),
      }
    },
    list: (folder) =>
      opened<ListedHooks>(folder, { hooks: [], unused: [], canConfine: false }, async (open) => {
        const { hooks, unused } = await found(open)
        const sessions = await recentSessions(addressOf(open))
        const listed = hooks.map(async (hook) => ({
          ...hook,
          ...(await rights.of(open, hook)),
          last: last.get(keyOf(hook)) ?? null,
          moments: momentsFor(hook, placeOf(open), sessions).map(({ id, label }) => ({ id, label })),
        }))
        return { hooks: await Promise.all(listed), unused, canConfine: await rights.canConfine(open) }
      }),
    tryOut: (folder, wanted, id) =>
      opened<HookRun | null>(folder, null, async (open) => {
        const hook = await named(open, wanted)
        if (!hook) return null
        const confine = confineIn(open, places)
        // The user's decision is about the hook as it is in its file.
        const always = { hooks: [runAlways(hook)], confine: () => confine(hook) }
        const tried = createHooks({ ...partsOf(open), ...always, sessionId: SessionId.parse('example') })
        const recorded = id === null ? [] : momentsFor(hook, placeOf(open), await recentSessions(addressOf(open)))
        const moment = recorded.find((one) => one.id === id)?.moment ?? exampleOf(hook.event)
        const { runs } = await tried.run(moment, {
          mode: 'ask',
          model: places.defaultModel(),
          turns: () => [],
          signal: AbortSignal.timeout(hook.timeoutMs + 1_000),
        })
        return runs[0] ?? null
      }),
    setFree: (folder, wanted, isFree) =>
      opened<readonly ExecutedFile[] | null>(folder, null, async (open) => {
        const hook = await named(open, wanted)
        return hook ? rights.set(open, hook, { isFree, shown: wanted.scripts }) : null
      }),
    close: transport.close,
  }
}

const isThere = (open: OpenFolder): boolean => isFar(addressOf(open))

/** The same hook, which runs for every event and is waited for. */
function runAlways(hook: Hook): Hook {
  const { condition: _, isAsync: __, ...always } = hook
  return { ...always, matcher: '' }
}

const keyOf = ({ event, command }: Pick<Hook, 'event' | 'command'>): string => `${event} ${command}`

/** The newest recorded events for which the hook would run. */
function momentsFor(hook: Hook, place: ConditionPlace, sessions: readonly SessionState[]): readonly RecordedMoment[] {
  const fits = ({ moment }: RecordedMoment): boolean => runsOf(hook, moment, place).length > 0
  return recordedMoments(hook.event, sessions).filter(fits).slice(0, MAX_MOMENTS)
}

function unusedHook({ source, why }: UnusedHook): Trouble {
  return {
    code: 'hook_unused',
    what: `Ignored in ${source}: ${why}`,
    kept: 'The file is unchanged.',
    todo: 'The active hooks are listed in Settings > Hooks. Permissions can be imported in Settings > Rules.',
  }
}
