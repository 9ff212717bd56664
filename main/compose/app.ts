import type { Redactor } from '../agent/ports/redactor.ts'
import { createTrustedContents } from '../changes/trusted-contents.ts'
import type { ConfineParts } from '../hooks/confined-hooks.ts'
import { createShownNotices } from '../sessions/shown-notices.ts'
import { hookPrograms } from '../hooks/hook-scripts.ts'
import { createUnconfinedHooks } from '../hooks/unconfined-hooks.ts'
import { askModel } from './ask-model.ts'
import { type AppHooks, createAppHooks, type HookPlaces } from '../hooks/app-hooks.ts'
import { modelNamed } from '../providers/catalogue/catalogue.ts'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isFar } from '../../shared/places/address.ts'
import type { Places, WorkThere } from '../places/places.ts'
import { placesOnDemand } from '../places/places-on-demand.ts'
import { ok, type Result } from '../../shared/lib/result.ts'
import { deniedInSession, rulesIn, type RulesParts } from './session-rules.ts'
import { tryAll } from '../../shared/lib/try-all.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { StorageError } from '../agent/storage-error.ts'
import { createAmending } from '../changes/amending.ts'
import { createLocalExecutionEnvironment } from '../environment/local-environment.ts'
import { sweepTemporaryFolders } from '../environment/temporary-folder.ts'
import { closeStoredSessionParts, storageThreadOf, type StoredSessionParts, storedSessionParts } from './stored-session-parts.ts'
import { createLeftovers, type Leftovers } from '../leftovers/leftovers.ts'
import { createAppWorkspaces, mcpServersOf } from './app-workspaces.ts'
import { recordAllRecovered, recoverFolderCopies, saveKept } from './folder-copies.ts'
import { createSignedFiles } from '../environment/copy/guard/control-file-contents.ts'
import { createModels, type Models } from './models.ts'
import { createSecretRedactor } from '../redaction/known-secrets.ts'
import { systemClock } from '../environment/system-clock.ts'
import { createSessions, type Sessions } from '../sessions/sessions.ts'
import { createStarter, type SessionStarter } from '../sessions/start-session.ts'
import { freshSampleProject } from './fresh-sample-project.ts'
import { type AgentTypes, createAgentTypes } from './agent-types.ts'
import { personInstructions } from '../settings/person-instructions.ts'
import { jsonDataFile } from '../settings/json-data-file.ts'
import { withEnvironmentKeys } from '../settings/environment-keys.ts'
import type { Secrets } from '../settings/secrets.ts'
import type { ProjectRules } from '../../shared/api/rules.ts'
import { projectRulesIn } from '../rules/project-rules.ts'
import { openRulesFile, type RulesFile } from '../rules/rules-file.ts'
import { createAgentChoices, type AgentChoices } from '../foreign-agents/agent-choices.ts'
import { openSettingsFile, type SettingsFile } from '../settings/settings-file.ts'
import { createFolderTrust, type FolderTrust } from '../workspace/folder-trust.ts'
import { checkDataFolder, makePrivate } from '../store/private-folder.ts'
import { openMemoryStore, openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import { type FinishedImports, finishImports, takeOverImports } from '../transfer/import/interrupted-imports.ts'
import { createTerminals, type Terminals } from '../terminals/terminals.ts'
import type { McpServers } from '../mcp/servers.ts'
import { knownAgent } from '../foreign-agents/known-agents.ts'
import type { AppParts } from './app-parts.ts'
import { followMadeSessions, sessionAt } from './session-places/made-sessions.ts'
import { limitsOf } from './run-limits.ts'
import { runtimeFactory, type RuntimeParts } from './session-runtime.ts'
import { writePlanFile } from '../store/write-plan-file.ts'
import { createSlashCommands, type SlashCommands } from '../slash-commands/slash-commands.ts'
import type { Workspaces } from '../workspace/workspaces.ts'

export interface App extends StoredSessionParts {
  readonly parts: AppParts
  readonly store: Store
  /** Why everything is kept only in memory. Null if the store is on disk. */
  readonly unsaved: Trouble | null
  readonly settings: SettingsFile
  readonly rules: RulesFile
  /** Returns the rules in a trusted folder's own file. Null if it has none. */
  projectRules(folder: string): ProjectRules | null
  readonly secrets: Secrets
  /** Hides the keys that this process knows wherever they appear in a text. */
  readonly redactor: Redactor
  readonly models: Models
  readonly terminals: Terminals
  readonly leftovers: Leftovers
  readonly workspaces: Workspaces
  /** Other machines and containers. */
  readonly places: Places
  readonly mcp: McpServers
  readonly trust: FolderTrust
  readonly slashCommands: SlashCommands
  readonly agentChoices: AgentChoices
  readonly agentTypes: AgentTypes
  readonly hooks: AppHooks
  /** Whether the user trusts the folder, whatever has changed in it since. */
  readonly isTrusted: (folder: string) => boolean
  readonly sessions: Sessions
  readonly starter: SessionStarter
  readonly imports: FinishedImports
  /**
   * Problems found at this start: rights of other users on the data folder, which were taken from them, changes that an earlier run left
   * unfinished and that could not be undone, and control files that killed programs had made and that were moved away.
   */
  readonly troubles: readonly Trouble[]
  /**
   * Ends every process and every request to a service, and releases every claim. Requests for signatures remain open. If a step fails, the
   * remaining steps still run, and then the first failure is thrown.
   */
  close(): Promise<void>
}

const whoAnswers = ({
  attended = true,
  watched,
  takesQuestions = watched,
}: AppParts): Pick<RuntimeParts, 'attended' | 'takesQuestions'> => ({
  attended,
  takesQuestions,
})

/**
 * Opens the store of a data folder that only the user can change. `wasShared`: what to say if others could. If nothing can be saved, the
 * store exists only in memory. Takes over interrupted imports; of everything else that is incomplete, nothing remains.
 */
async function openData({ dataFolder, whenUnsaved, watched }: AppParts) {
  const checked = checkDataFolder(dataFolder)
  if (!checked.ok) return checked
  const wasShared = makePrivate(dataFolder)
  const opened = await openStore(dataFolder)
  if (!opened.ok && whenUnsaved === 'fail') return opened
  const store = opened.ok ? opened.value : await openMemoryStore()
  const interrupted = opened.ok ? await takeOverImports(store) : []
  const thread = opened.ok ? await storageThreadOf(store, dataFolder, watched) : null
  return ok({ opened, store, wasShared: wasShared ? [wasShared] : [], interrupted, thread })
}

/** The composition root: builds everything that runs, from top to bottom: store, settings, models, workspaces, sessions. */
export async function createApp(parts: AppParts): Promise<Result<App, Trouble>> {
  const { host, dataFolder, session: sessionConfig = {}, idleLimitMs, rehearsalPaceMs } = parts
  const data = await openData(parts)
  if (!data.ok) return data
  const { opened, store, wasShared, interrupted, thread } = data.value
  const settings = openSettingsFile(dataFolder)
  const rules = openRulesFile(dataFolder)
  const projectRules = projectRulesIn(store, parts.trusted ?? null, parts.trustedThere)
  const secrets = withEnvironmentKeys(host.secrets)
  const redactor = createSecretRedactor(secrets)
  const imports = await finishImports(interrupted, { store, redactor }, parts.watched)
  const clock = systemClock
  const models = createModels({
    settings,
    secrets,
    clock,
    sessionConfig,
    ...(opened.ok && { kept: jsonDataFile(dataFolder), keptLists: jsonDataFile(dataFolder, 'models') }),
    ...(idleLimitMs !== undefined && { idleLimitMs }),
    ...(rehearsalPaceMs !== undefined && { rehearsalPaceMs }),
  })
  const terminals = createTerminals()
  const allowVariables = allowedVariablesIn(settings, parts)
  const inFolder = rulesIn({ rules, projectRules })
  const places = placesOf(parts, { store, rules, projectRules, redactor, allowVariables })
  const needs = { parts, places, store, redactor, allowVariables, rulesIn: inFolder, rules, projectRules, signed: createSignedFiles() }
  const workspaces = createAppWorkspaces(needs)
  const mcp = mcpServersOf({ ...needs, workspaces, redactor, secrets })
  const { trust, isTrusted, mayOpen } = trustIn(store, workspaces, parts)
  const inFolders = { workspaces, redactor, home: homedir(), dataFolder, rulesIn: inFolder }
  const agentChoices = createAgentChoices(store.sessions)
  const slashCommands = createSlashCommands({ ...inFolders, here: createLocalExecutionEnvironment(homedir()), mcp, modelNamed, mayOpen })
  const agentTypes = createAgentTypes({ ...inFolders, mayOpen })
  const hooks = createAppHooks({
    ...inFolders,
    clock,
    isTrusted,
    ...hookFiles(dataFolder, store),
    recentSessions: recentSessionsIn(store),
    ask: askModel(models),
    defaultModel: () => models.defaults({}),
  })
  const runtimeFor = runtimeFactory({
    store,
    clock,
    models,
    workspaces,
    redactor,
    rules,
    projectRules,
    isTrusted,
    mayOpen,
    slashCommands,
    agentChoices,
    agentTypes,
    mcp,
    hooksFor: hooks.forSession,
    terminals: parts.watched || parts.inTerminals === true ? terminals : null,
    sessionConfig,
    ...whoAnswers(parts),
    toolChanges: parts.tools,
    isWatched: parts.watched,
    sessions: () => sessions,
    ...personsFiles(dataFolder, settings),
    ...limitsOf(settings, parts),
  })
  const amending = createAmending(store.blobs)
  const sessions: Sessions = createSessions({ store, clock, runtimeFor, amending, loopWindow: sessionConfig.loopDetectionWindow })

  const troubles = [...wasShared, ...imports.troubles, ...(await recoverFolderCopies(dataFolder, store))]
  // The cleanup starts before any session is taken over. It is not awaited, because ending a process that ignores signals takes seconds.
  const leftovers = createLeftovers(store, parts.watched ? 'offer' : 'end')
  if (parts.watched) {
    void sweepTemporaryFolders(saveKept)
    await recovered(sessions)
  }
  const stored = storedSessionParts(store, sessions, thread, { ...parts, workspaces, settings })
  let closing: Promise<void> | null = null
  const following = parts.watched ? followMadeSessions({ places, store }) : null
  const kept = [() => following?.dispose(), places.close, mcp.close, () => closeStoredSessionParts(stored), settings.dispose, rules.dispose]

  const starter = createStarter({
    sessions,
    find: workspaces.find,
    mayOpen,
    opened: store.folders.opened,
    defaults: models.defaults,
    placeOf: sessionAt({ places, store }),
    makeSample: () => freshSampleProject(store, clock.now()),
  })
  return ok({
    parts,
    store,
    unsaved: opened.ok ? null : opened.failure,
    settings,
    rules,
    projectRules,
    secrets,
    redactor,
    models,
    terminals,
    leftovers,
    workspaces,
    places,
    mcp,
    trust,
    slashCommands,
    agentChoices,
    agentTypes,
    hooks,
    isTrusted,
    sessions,
    starter,
    imports,
    troubles,
    ...stored,
    close: () =>
      (closing ??= tryAll(leftovers.close, sessions.closeAll, workspaces.closeAll, models.close, hooks.close, ...kept, store.close)),
  })
}

/** Trust in folders, according to the user's answers and, for this run, the folder given on the command line. */
function trustIn(store: Store, { reading }: Workspaces, { trusted, trustedThere }: AppParts) {
  const isForRun = (folder: string): boolean => folder === trusted || folder === trustedThere?.()?.address
  const trust = createFolderTrust(store.folders, (folder) => (isFar(folder) ? reading(folder) : createLocalExecutionEnvironment(folder)))
  return {
    trust,
    isTrusted: (folder: string): boolean => isForRun(folder) || store.folders.trust(folder) === true,
    mayOpen: async (folder: string): Promise<boolean> => isForRun(folder) || (await trust.isTrusted(folder)),
  }
}

/** The variables that commands in a folder get although they look like secrets. */
const allowedVariablesIn =
  (settings: SettingsFile, { allowVariables = [] }: AppParts) =>
  (folder: string): readonly string[] => [...(settings.current().allowVariables[folder] ?? []), ...allowVariables]

/** By default, nothing is copied to another machine. */
function placesOf(
  { dataFolder, mayInstall = () => Promise.resolve(false), sandbox, connectBy }: AppParts,
  { redactor, allowVariables, ...rulesParts }: RulesParts & Pick<WorkThere, 'allowVariables'> & { readonly redactor: Redactor },
): Places {
  const { store } = rulesParts
  const work: WorkThere = {
    allowVariables,
    denied: deniedInSession(rulesParts),
    blobs: store.blobs,
    onRecovered: (folder, all) => void recordAllRecovered(store, all, folder),
  }
  return placesOnDemand({
    redactor,
    mayInstall,
    sshConfig: process.env['COUNTERSIGN_SSH_CONFIG'] ?? null,
    connectBy,
    madeIn: join(dataFolder, 'places'),
    work: sandbox === 'off' ? undefined : work,
  })
}

/** How many recent sessions, and how many entries of each, are searched for events with which hooks can be tried out. */
const RECENT = { sessions: 4, entries: 60 } as const

const recentSessionsIn = (store: Store) => async (folder: string) => {
  const sessions = (await store.sessions.listInSlices()).filter((session) => session.folder === folder && session.parent === null)
  const newest = sessions.toSorted((a, b) => b.cursor - a.cursor).slice(0, RECENT.sessions)
  return newest.flatMap(({ sessionId }) => store.ledger.snapshot(sessionId, RECENT.entries) ?? [])
}

const hookFiles = (dataFolder: string, { blobs }: Store): Omit<ConfineParts, 'home'> & Pick<HookPlaces, 'here'> => ({
  here: createLocalExecutionEnvironment(dataFolder),
  contents: createTrustedContents(blobs),
  scripts: hookPrograms(dataFolder, homedir()),
  free: createUnconfinedHooks(jsonDataFile(dataFolder, 'free-hooks')),
})

/** The user's own files and settings, which apply to every project. */
function personsFiles(
  dataFolder: string,
  settings: SettingsFile,
): Pick<RuntimeParts, 'instructionsFile' | 'userInstructions' | 'writePlanFile' | 'skipsSmallPlans' | 'shownNotices' | 'foreignAgent'> {
  return {
    foreignAgent: (id) => knownAgent(dataFolder, id),
    instructionsFile: () => personInstructions(dataFolder, homedir()),
    userInstructions: () => settings.current().userInstructions,
    skipsSmallPlans: () => settings.current().skipSmallPlans,
    shownNotices: createShownNotices(jsonDataFile(dataFolder, 'seen-notices')),
    writePlanFile: (title, markdown) => writePlanFile(dataFolder, title, markdown),
  }
}

/**
 * Cleans up sessions that ended abnormally in the middle of a turn, before anyone opens them. A storage failure is reported when its
 * session is opened, and by the store's health. A bug is reported as an uncaught exception and does not block the other sessions.
 */
async function recovered(sessions: Sessions): Promise<void> {
  // Other machines may not answer, so this does not wait for them.
  void sessions.recover('far').then(throwBugs)
  throwBugs(await sessions.recover('here'))
}

function throwBugs(errors: readonly unknown[]): void {
  for (const error of errors) {
    if (!(error instanceof StorageError))
      queueMicrotask(() => {
        throw error
      })
  }
}
