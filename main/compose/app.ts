import { homedir } from 'node:os'
import { ok, type Result } from '../../shared/lib/result.ts'
import { tryAll } from '../../shared/lib/try-all.ts'
import type { Settings } from '../../shared/api/setting-fields.ts'
import type { SessionConfig } from '../../shared/session/settings/session-config.ts'
import type { Lease, Trouble, TurnLease } from '../../shared/session/events.ts'
import { NO_LEASE } from '../../shared/session/lease.ts'
import type { TurnLimits } from '../agent/loop.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import { StorageError } from '../agent/storage-error.ts'
import { createLocalExecutionEnvironment } from '../environment/local.ts'
import { sweepTemporaryFolders } from '../environment/temporary-folder.ts'
import type { Host } from '../host.ts'
import { createLeftovers, type Leftovers } from '../leftovers/left-commands.ts'
import { createModels, type Models } from './models.ts'
import { createSecretRedactor } from '../redaction/secret-redactor.ts'
import { systemClock } from '../providers/system-clock.ts'
import { createSessions, type Sessions } from '../sessions/sessions.ts'
import { createStarter, type SessionStarter } from '../sessions/start-session.ts'
import { freshSample } from './rehearsal-projects.ts'
import { personsAgentFiles } from '../settings/agent-files.ts'
import { personsInstructions } from '../settings/instructions-file.ts'
import { learnedFile } from '../settings/learned-file.ts'
import { withEnvironmentKeys } from '../settings/layered-secrets.ts'
import type { Secrets } from '../settings/secrets.ts'
import { openSettingsFile, type SettingsFile } from '../settings/settings-file.ts'
import { openMemoryStore, openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import { createTerminals, type Terminals } from '../terminals/terminals.ts'
import type { ToolChanges } from './tool-registries.ts'
import { workbenchFor, type WorkbenchParts } from './session-runtime.ts'
import { createWorkspaces, type Workspaces } from '../workspace/workspaces.ts'

export interface AppParts {
  readonly host: Host
  /** Real path; made by the caller. */
  readonly dataFolder: string
  readonly version: string
  /** To be opened first; null for none. */
  readonly openFolder: string | null
  /** Whether somebody can watch the agent's commands: then they run in terminals, and what a crash left running is offered for ending. */
  readonly watched: boolean
  /** False: nobody can sign while this runs, which the model is told. Left out: somebody can. */
  readonly attended?: boolean
  /** They run in terminals though nobody watches (`--pty`). */
  readonly inTerminals?: boolean
  /** A store that cannot be opened: go on in memory, visibly unsaved (fault 54), or fail. */
  readonly whenUnsaved: 'go_on' | 'fail'
  /** Other limits than the settings'. */
  readonly limits?: Partial<TurnLimits>
  /** What every session of this run is told (P2-08). */
  readonly session?: SessionConfig
  /** Another budget of a person's session than the settings'. */
  readonly lease?: Partial<Lease>
  /** Another budget of each turn than the settings'. */
  readonly turnLease?: Partial<TurnLease>
  /** Another idle limit of answers than the settings', in ms (`--idle-limit`). */
  readonly idleLimitMs?: number
  /** Milliseconds between two pieces of a rehearsal's answers; left out: as fast as a person reads. */
  readonly rehearsalPaceMs?: number
  /** A folder that counts as trusted for this run (D-45). */
  readonly trusted?: string | null
  /** Tools that whoever embeds the app adds, replaces or removes while it runs; asked for each request. */
  readonly tools?: () => ToolChanges
  /** Variables that commands get although they look like secrets, beside those that the settings name (T-16). */
  readonly allowVariables?: readonly string[]
  /** The environment to work in instead of this machine's, for each folder that is opened. Left out: this machine's. */
  readonly environment?: (local: ExecutionEnvironment) => ExecutionEnvironment
}

export interface App {
  readonly parts: AppParts
  readonly store: Store
  /** Why everything is kept in memory only; null: the store is the one on disk. */
  readonly unsaved: Trouble | null
  readonly settings: SettingsFile
  readonly secrets: Secrets
  readonly models: Models
  readonly terminals: Terminals
  readonly leftovers: Leftovers
  readonly workspaces: Workspaces
  readonly isTrusted: (folder: string) => boolean
  readonly sessions: Sessions
  readonly starter: SessionStarter
  /** Ends every process, request and claim; what waits for a signature goes on waiting. Every step is taken, once; then the first failure is thrown. */
  close(): Promise<void>
}

/** The composition root: everything that runs is put together here, top to bottom, and nowhere else. */
export async function createApp(parts: AppParts): Promise<Result<App, Trouble>> {
  const { host, dataFolder, session: told = {} } = parts
  const opened = await openStore(dataFolder)
  if (!opened.ok && parts.whenUnsaved === 'fail') return opened
  const store = opened.ok ? opened.value : await openMemoryStore()
  const unsaved = opened.ok ? null : opened.failure

  const settings = openSettingsFile(dataFolder)
  const secrets = withEnvironmentKeys(host.secrets)
  const redactor = createSecretRedactor(secrets)
  const clock = systemClock
  const { idleLimitMs, rehearsalPaceMs } = parts
  const models = createModels({
    ...{ settings, secrets, clock, told },
    ...(opened.ok && { kept: learnedFile(dataFolder), keptLists: learnedFile(dataFolder, 'models') }),
    ...(idleLimitMs !== undefined && { idleLimitMs }),
    ...(rehearsalPaceMs !== undefined && { rehearsalPaceMs }),
  })
  const terminals = createTerminals()
  const allowVariables = (folder: string): readonly string[] => [
    ...(settings.current().allowVariables[folder] ?? []),
    ...(parts.allowVariables ?? []),
  ]
  const { environment: instead = (local: ExecutionEnvironment) => local } = parts
  const createEnvironment = (folder: string): ExecutionEnvironment =>
    instead(createLocalExecutionEnvironment(folder, { notes: store.notes, redactor, allowVariables: () => allowVariables(folder) }))
  const workspaces = createWorkspaces({ createEnvironment, home: homedir(), ownFolders: [dataFolder] })
  const isTrusted = (folder: string): boolean => folder === parts.trusted || store.folders.trust(folder) === true
  const limits = (): TurnLimits => turnLimits(settings.current(), parts)
  const bench = workbenchFor({
    ...{ store, clock, models, workspaces, redactor, isTrusted, limits },
    terminals: parts.watched || parts.inTerminals === true ? terminals : null,
    ...{ told, attended: parts.attended ?? true, toolChanges: parts.tools, isWatched: parts.watched },
    commandLimitMs: () => told.defaultCommandTimeout ?? (settings.current().commandLimitMs || undefined),
    readingSubagents: () => settings.current().readingSubagents,
    sessions: () => sessions,
    ...personsFiles(dataFolder, settings),
    lease: () => {
      const { budgetTokens, budgetUsd } = settings.current()
      return { ...NO_LEASE, tokens: budgetTokens || null, costUsd: budgetUsd || null, ...parts.lease }
    },
    turnLease: () => {
      const { turnBudgetTokens, turnBudgetUsd } = settings.current()
      return { tokens: turnBudgetTokens || null, costUsd: turnBudgetUsd || null, ...parts.turnLease }
    },
  })
  const sessions: Sessions = createSessions({ store, clock, workbenchFor: bench, loopWindow: told.loopDetectionWindow })

  // Begins before a session is taken over, and is not waited for: ending a stubborn process takes seconds.
  const leftovers = createLeftovers(store, parts.watched ? 'offer' : 'end')
  if (parts.watched) {
    void sweepTemporaryFolders()
    await recovered(sessions)
  }
  let closing: Promise<void> | null = null

  const starter = createStarter({
    sessions,
    find: workspaces.find,
    isTrusted,
    opened: store.folders.opened,
    defaults: models.defaults,
    makeSample: () => freshSample(store, clock.now()),
  })
  return ok({
    parts,
    store,
    unsaved,
    settings,
    secrets,
    models,
    terminals,
    leftovers,
    workspaces,
    isTrusted,
    sessions,
    starter,
    close: () => (closing ??= tryAll(leftovers.close, sessions.closeAll, workspaces.closeAll, models.close, settings.dispose, store.close)),
  })
}

/** What the person has written down for every project. */
function personsFiles(
  dataFolder: string,
  settings: SettingsFile,
): Pick<WorkbenchParts, 'agentFiles' | 'instructionsFile' | 'userInstructions'> {
  return {
    agentFiles: () => personsAgentFiles(dataFolder),
    instructionsFile: () => personsInstructions(dataFolder),
    userInstructions: () => settings.current().userInstructions,
  }
}

/**
 * What died in the middle of a turn is put in order before anybody looks. What cannot be read or written now is said when its session is
 * opened, and by the store's health; a bug is told to the process and keeps nobody from the other sessions.
 */
async function recovered(sessions: Sessions): Promise<void> {
  for (const error of await sessions.recover()) {
    if (!(error instanceof StorageError))
      queueMicrotask(() => {
        throw error
      })
  }
}

/** The settings' and the requirements' (D-17: 92 %), in so far as this run has none of its own. */
function turnLimits({ maxRounds }: Settings, { session: told = {}, limits }: AppParts): TurnLimits {
  const rounds = told.maxToolRoundsPerInput ?? maxRounds
  return { maxRounds: rounds, maxTurns: told.maxTurns ?? 0, detectLoops: true, compactAt: 92, ...limits }
}
