import { homedir } from 'node:os'
import { join } from 'node:path'
import { type AppContract, type AppHandlers, contract } from '../../shared/api/contract.ts'
import type { UpdatesWanted } from '../../shared/api/updates.ts'
import type { RunningWork } from '../../shared/api/app.ts'
import type { ReplayAnswer } from '../../shared/api/replay.ts'
import type { Settings } from '../../shared/api/setting-fields.ts'
import type { Disposable } from '../../shared/lib/disposable.ts'
import { SessionId } from '../../shared/lib/ids.ts'
import { ok, type Result } from '../../shared/lib/result.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { appHandlers } from '../api/app.ts'
import { otherAgentsHandlers } from '../api/other-agents.ts'
import { approvalsHandlers } from '../api/approvals.ts'
import { blameHandler } from '../api/blame.ts'
import { changesHandlers, shownText } from '../api/changes.ts'
import { diskChangesHandlers } from '../api/folder/disk-changes.ts'
import { unlessStreamFails } from '../api/storage-failures.ts'
import { createAmending } from '../changes/amending.ts'
import { type CheckParts, checkResult } from '../layers/check-result.ts'
import { copiesWithoutDenied } from '../rules/denied-files.ts'
import { latestValue } from '../api/latest-value.ts'
import { mcpHandlers } from '../api/mcp.ts'
import { filesHandlers } from '../api/folder/files.ts'
import { publishHandlers } from '../api/folder/publish.ts'
import { gitHandlers } from '../api/folder/git.ts'
import { reviewHandlers } from '../api/review.ts'
import { hooksHandlers } from '../api/hooks.ts'
import { rulesHandlers } from '../api/rules.ts'
import { sessionsHandlers } from '../api/sessions.ts'
import { createReviewNotebook } from '../review/review-notes.ts'
import { type NeedsParts, notifyNeeds } from '../sessions/notify-needs.ts'
import { createPictures } from '../sessions/attached-pictures.ts'
import { tryAllAtOnce } from '../../shared/lib/try-all.ts'
import { createKeptTerminals } from '../store/kept-terminals.ts'
import { createPersonTerminals, type PersonTerminals } from '../terminals/person-terminals.ts'
import { createFileFinder } from '../workspace/find-files.ts'
import { createSymbolFinder, type SymbolFinder } from '../workspace/find-symbols.ts'
import { createSessionCursors } from '../sessions/session-cursors.ts'
import { fitsIgnoreLine } from '../environment/search/ignore/ignore-rule.ts'
import { foreignRules } from '../rules/foreign-rules.ts'
import { foreignServers, importServers } from '../settings/foreign-mcp-servers.ts'
import { pastCommands } from '../rules/back-test.ts'
import type { SessionPlaces } from '../api/session-places.ts'
import { settingsHandlers } from '../api/settings.ts'
import { placesHandlers } from '../api/folder/places.ts'
import { portsHandlers } from '../api/folder/ports.ts'
import { createForwards } from '../forwarding/forwards.ts'
import { StorageError } from '../agent/storage-error.ts'
import type { ProgramPorts } from '../agent/ports/opened-program.ts'
import { isFar } from '../../shared/places/address.ts'
import { storageHandlers } from '../api/storage.ts'
import { updatesHandlers } from '../api/updates.ts'
import { terminalsHandlers } from '../api/terminals.ts'
import { transferHandlers } from '../api/transfer.ts'
import { workspaceHandlers } from '../api/workspace.ts'
import { askAfterTurns, bringInChanges } from '../layers/bring-in-session.ts'
import { askModel } from './ask-model.ts'
import { type App, createApp } from './app.ts'
import type { AppParts } from './app-parts.ts'
import { followActivity, followFolders, followNeeds, runningWork } from '../sessions/work-and-needs.ts'
import { deskPlaces } from './session-places/running-places.ts'
import { fileInLayer, filesInLayer } from './session-places/file-in-layer.ts'
import { terminalPlaces, trustedPlaces } from './session-places/session-place.ts'
import { appliedRules } from './session-rules.ts'

/** The app's contract and its handlers, for a shell with windows. */
export interface ServedApp {
  readonly contract: AppContract
  readonly handlers: AppHandlers
  /** Until the signal aborts, shows a notification whenever a session begins to need the user. Used while there is no window. */
  notifyNeeds(signal: AbortSignal): Promise<void>
  /** The turns and commands of this process, and the user's own terminals, which closing the app would end. */
  runningWork(): readonly RunningWork[]
  /** The theme in the settings. */
  readonly theme: { current(): Settings['theme']; onChange(listener: () => void): Disposable }
  /**
   * Calls the listener whenever a turn, a command of an agent or one of the user's own terminals begins or ends, with whether any turn or
   * command still runs. A turn that waits for the user does not run.
   */
  followActivity(listener: (isBusy: boolean) => void): Disposable
  /** Calls the listener with the number of sessions that have an open request, at once and after each change of the number. */
  followNeeds(listener: (count: number) => void): Disposable
  /** Calls the listener with the folders of the newest sessions, newest first, at once and after each change. */
  followFolders(listener: (folders: readonly string[]) => void): Disposable
  /** What happens with new versions, as in the settings. */
  updatesWanted(): UpdatesWanted
  /** Whether the user wants notifications. */
  wantsNotifications(): boolean
  /** Call this when the computer wakes up. See `Models.wokeUp`. */
  wokeUp(): void
  close(): Promise<void>
}

/** Number of folders that fit into a menu. */
const RECENT_FOLDERS = 10

/** Separate from `createApp`, so that a run without windows does not load the contract and starts faster. */
export async function createServedApp(parts: AppParts): Promise<Result<ServedApp, Trouble>> {
  const app = await createApp(parts)
  if (!app.ok) return app
  const { sessions, settings, parts: given, close } = app.value
  app.value.doctor.runIfDue()
  const closing = new AbortController()
  const asking = askAfterTurns(app.value, (sessionId) => bringInChanges(app.value, sessionId, closing.signal))
  void app.value.imports.ended.then(app.value.flags.changed)
  const needs: NeedsParts = {
    list: sessions.list,
    wanted: () => settings.current().notifications,
    notify: (note) => given.host.notify(note),
  }
  const own = createPersonTerminals({
    kept: app.value.unsaved ? null : createKeptTerminals(given.dataFolder),
    isSession: (sessionId) => app.value.store.sessions.get(sessionId) !== null,
    openPlace: terminalPlaces(trustedPlaces(app.value)),
  })
  const forwards = createForwards(portsIn(app.value))
  const cache = app.value.unsaved ? null : join(given.dataFolder, 'cache', 'symbols')
  const symbols = createSymbolFinder(app.value.workspaces, cache, performance.now.bind(performance))
  return ok({
    contract,
    handlers: { ...handlersOf(app.value, own, symbols), ports: portsHandlers(forwards) },
    notifyNeeds: (signal) => notifyNeeds(needs, signal),
    theme: { current: () => settings.current().theme, onChange: (listener) => settings.onChange(listener) },
    runningWork: () => runningWork(app.value, own),
    followActivity: (listener) => followActivity(app.value, own, listener),
    followNeeds: (listener) => followNeeds(app.value, listener),
    followFolders: (listener) => followFolders(app.value, RECENT_FOLDERS, listener),
    updatesWanted: () => settings.current().updates,
    wantsNotifications: () => settings.current().notifications !== 'off',
    wokeUp: app.value.models.wokeUp,
    async close() {
      closing.abort()
      asking.dispose()
      await tryAllAtOnce([own.close(), forwards.close(), symbols.close(), close()])
    },
  })
}

const replayed = <T>(found: Result<T, Trouble>): ReplayAnswer<T> =>
  found.ok ? { ok: true, value: found.value } : { ok: false, trouble: found.failure }

function changesOf({ store, sessions, blamer }: App, places: SessionPlaces): AppHandlers['changes'] {
  const blame = blameHandler({
    blamer,
    layerOf: store.sessions.layerOf,
    folderOf: (id) => store.sessions.get(id)?.folder ?? null,
    ...places,
  })
  return { ...changesHandlers({ store, sessions }), ...diskChangesHandlers(places), blame }
}

/**
 * The ports of programs in a layer or on another machine. Programs in a folder of this computer use its own ports. A session that cannot be
 * read from the database has none.
 */
const portsIn =
  ({ store, workspaces }: App) =>
  (sessionId: SessionId): ProgramPorts | null => {
    try {
      const folder = store.sessions.get(sessionId)?.folder
      const layer = store.sessions.layerOf(sessionId)
      if (folder === undefined || (layer === null && !isFar(folder))) return null
      return workspaces.openNow(folder, layer)?.ports ?? null
    } catch (error) {
      if (error instanceof StorageError) return null
      throw error
    }
  }

function handlersOf(app: App, own: PersonTerminals, symbols: SymbolFinder): Omit<AppHandlers, 'ports'> {
  const { parts, store, sessions, settings, models, isTrusted } = app
  const openFolders = (): readonly string[] => [...new Set(store.sessions.list().map(({ folder }) => folder))].filter(isTrusted)
  const folderOf = (id: SessionId): string | null => store.sessions.get(id)?.folder ?? null
  const places = { openPlace: trustedPlaces(app) }
  const notebook = createReviewNotebook(store.sessions, Date.now)
  return {
    app: appHandlers({
      ...parts,
      store,
      unsaved: app.unsaved,
      leftovers: app.leftovers,
      openFolders,
      folderOf,
      fileInLayer: fileInLayer(app.parts.dataFolder, store.sessions.layerOf, places),
      filesInLayer: filesInLayer(store.sessions.layerOf, places),
      editor: () => settings.current().editor,
    }),
    agents: otherAgentsHandlers({
      dataFolder: parts.dataFolder,
      sessions: store.sessions,
      choices: app.agentChoices,
      editor: () => settings.current().editor,
    }),
    approvals: approvalsHandlers({ sessions }),
    bringIn: bringInHandlersOf(app),
    changes: changesOf(app, places),
    history: {
      async search(query) {
        const found = await app.history.search(query)
        return found.ok ? { ok: true, answer: found.value } : { ok: false, trouble: found.failure }
      },
    },
    places: placesHandlers({
      ...deskPlaces(app),
      makeBranch: async (sessionId, name) => (await import('./session-places/session-branch.ts')).branchNow(app, sessionId, name),
    }),
    publish: publishHandlers({ ...places, ask: askModel(models), sessionOf: (id) => store.sessions.get(id) }),
    replay: replayHandlersOf(app),
    doctor: {
      state: (_, { signal }) => latestValue(app.doctor.state, app.doctor.onChange, signal),
      run: ({ repair }) => app.doctor.run(repair),
    },
    hooks: hooksHandlers(app.hooks),
    files: filesHandlersOf(places),
    git: gitHandlers({ ...places, asText: shownText }),
    mcp: mcpHandlersOf(app),
    review: reviewHandlers(notebook),
    rules: rulesHandlers({
      rules: app.rules,
      home: homedir(),
      fitsPath: fitsIgnoreLine,
      past: (most) => pastCommands(store, most),
      projects: () => openFolders().flatMap((folder) => app.projectRules(folder) ?? []),
      importPreview: (from, folder) => foreignRules(from, homedir(), folder),
      isTrusted,
    }),
    sessions: sessionsHandlers({
      store,
      workspaces: app.workspaces,
      sessions,
      unsaved: app.unsaved,
      starter: app.starter,
      defaults: models.defaults,
      // A third-party agent gets its own commands unchanged.
      said: (id, folder, said, provider) =>
        app.agentChoices.hasCommand(id, said.text) ? Promise.resolve(said) : app.slashCommands.said(folder, said, provider),
      notebook,
      pictures: createPictures(store.blobs),
      seen: createSessionCursors(store.sessions, 'seen_to'),
      flags: app.flags,
      cleaner: app.cleaner,
      dismissed: createSessionCursors(store.sessions, 'dismissed_to'),
      blobs: store.blobs,
      log: store.log,
    }),
    settings: settingsHandlers({ settings, secrets: app.secrets, models, atLaunch: app.troubles }),
    storage: storageHandlers(app.cleaner, app.layers),
    terminals: terminalsHandlers({
      store,
      terminals: app.terminals,
      own,
      openPlace: terminalPlaces(places.openPlace),
    }),
    transfer: transferHandlers({
      store,
      imports: app.imports,
      redactor: app.redactor,
      home: homedir(),
      now: Date.now,
      imported: app.flags.changed,
    }),
    updates: updatesHandlers(parts.host.updates),
    workspace: workspaceHandlers({
      store,
      workspaces: app.workspaces,
      trust: app.trust,
      slashCommands: app.slashCommands,
      agentTypes: app.agentTypes,
      files: createFileFinder(app.workspaces, performance.now.bind(performance)),
      symbols,
    }),
  }
}

/** The file finder keeps a list of paths per session, because a session's layer has files of its own. */
function filesHandlersOf(places: SessionPlaces): AppHandlers['files'] {
  const open = (sessionId: string): ReturnType<SessionPlaces['openPlace']> => places.openPlace(SessionId.parse(sessionId))
  return filesHandlers({ ...places, finder: createFileFinder({ open }, performance.now.bind(performance)) })
}

function bringInHandlersOf(app: App): AppHandlers['bringIn'] {
  const { store, sessions, workspaces } = app
  const amending = createAmending(store.blobs)
  const copiesIn: CheckParts['copiesIn'] = ({ copies, folder }, session) =>
    copies && copiesWithoutDenied(copies, appliedRules(app, folder, session))
  return {
    check: (checked, { signal }) =>
      unlessStreamFails(checkResult({ store, sessions, workspaces, amending, copiesIn }, checked, signal), (trouble) => ({
        kind: 'failed',
        trouble,
      })),
  }
}

function replayHandlersOf({ history }: App): AppHandlers['replay'] {
  return {
    outline: async ({ sessionId }) => replayed(await history.outline(sessionId)),
    moment: async ({ sessionId, seq }) => replayed(await history.moment(sessionId, seq)),
  }
}

function mcpHandlersOf({ parts, mcp, redactor, isTrusted }: App): AppHandlers['mcp'] {
  const places = { dataFolder: parts.dataFolder, home: homedir() }
  return mcpHandlers({
    servers: mcp,
    redactor,
    isTrusted,
    importPreview: (folder) => foreignServers({ ...places, folder }),
    importServers: (folder, ids, secrets) => importServers({ ...places, folder, keepSecrets: mcp.keepSecrets }, { ids, secrets }),
  })
}
