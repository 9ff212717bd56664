import { homedir } from 'node:os'
import { posix, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { StorageHealth } from '../../shared/api/app.ts'
import type { AppHandlers } from '../../shared/api/contract.ts'
import type { Done } from '../../shared/api/sessions.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import { DisposableStore } from '../../shared/lib/disposable.ts'
import { ok, type Result } from '../../shared/lib/result.ts'
import { addressOf, parseAddress } from '../../shared/places/address.ts'
import type { Trouble } from '../../shared/session/events.ts'
import type { PlaceOfFile } from '../environment/layers/shown-file.ts'
import { isFileInFolders, realPathInFolders } from '../environment/real-folders.ts'
import { editorsHere, openInEditor } from '../environment/open-in-editor.ts'
import { machineFacts } from '../environment/machine/machine-facts.ts'
import { launchVariables } from '../environment/shell-variables/complete-from-shell.ts'
import type { Host } from '../host.ts'
import type { Store } from '../store/store.ts'
import type { Leftovers } from '../leftovers/leftovers.ts'
import { unlessStorageFails } from './storage-failures.ts'
import { latestValue } from './latest-value.ts'

export interface AppHandlerParts {
  readonly host: Host
  readonly store: Store
  readonly leftovers: Leftovers
  /** Why everything is kept only in memory. Null if the store is on disk. */
  readonly unsaved: Trouble | null
  readonly version: string
  readonly dataFolder: string
  readonly openFolder: string | null
  readonly openFolders: () => readonly string[]
  /** Returns the address of a session's folder. Null if there is no such session. */
  readonly folderOf: (sessionId: SessionId) => string | null
  /**
   * Where the user's programs find a session's version of a file. Null if it is the file in the folder itself (`shownFile`).
   */
  readonly fileInLayer: (sessionId: SessionId, path: string) => Promise<Result<PlaceOfFile | null, Trouble>>
  /** Returns those of these paths that are files in the session's layer. Null if the session works in the folder. */
  readonly filesInLayer: (sessionId: SessionId, paths: readonly string[]) => Promise<readonly string[] | null>
  /** Returns the licenses of all packages in the app; null if they are not there. */
  readonly licenses?: () => Promise<string | null>
  /** Returns the user's choice of editor. */
  readonly editor: () => string
}

export function appHandlers(parts: AppHandlerParts): AppHandlers['app'] {
  const { host, store, leftovers, version, dataFolder, openFolder } = parts
  return {
    hello: () => ({
      version,
      shell: host.shell,
      platform: process.platform,
      home: homedir(),
      capabilities: host.capabilities,
      dataFolder,
      openFolder,
    }),
    health: (_, { signal }) =>
      latestValue(
        () => healthOf(parts),
        (changed) => onHealth(store, changed),
        signal,
        // Any stored event can change the counts, but very few do.
        isDeepStrictEqual,
      ),
    licenses: async () => ({ text: (await parts.licenses?.()) ?? null }),
    systemTroubles: (_, { signal }) => latestValue(host.systemTroubles.current, host.systemTroubles.onChange, signal),
    quitQuestion: (_, { signal }) => latestValue(host.quitQuestions.current, host.quitQuestions.onChange, signal),
    quitQuestionDrawn: ({ id }) => {
      host.quitQuestions.drawn(id)
      return {}
    },
    answerQuit: ({ id, answer }) => {
      host.quitQuestions.answer(id, answer)
      return {}
    },
    leftCommands: (_, { signal }) => latestValue(leftovers.offered, leftovers.onChange, signal),
    settleLeft: async ({ id, decision }) => {
      const isDone = decision === 'end' ? await leftovers.end(id) : leftovers.keep(id)
      return isDone ? { ok: true } : { ok: false, trouble: NOT_OFFERED }
    },
    notify: (note) => {
      host.notify(note)
      return {}
    },
    pickFolder: async () => ({ folder: await host.pickFolder() }),
    reveal: (named) =>
      unlessStorageFails<Done>(async () => {
        const found = await shownPath(parts, named)
        if (!found.ok) return refused(found.failure)
        const isShown = await host.reveal(found.value.path, found.value.folders)
        return isShown ? { ok: true } : { ok: false, trouble: notThere('shown', named.path) }
      }, refused),
    openInEditor: ({ line, ...named }) =>
      unlessStorageFails<Done>(async () => {
        const found = await shownPath(parts, named)
        if (!found.ok) return refused(found.failure)
        if (parseAddress(found.value.path).place !== null) return done(await openInEditor(parts.editor(), found.value.path, line))
        const file = await realPathInFolders(found.value.path, found.value.folders)
        return done(file === null ? notThere('opened', named.path) : await openInEditor(parts.editor(), file, line))
      }, refused),
    existingFiles: ({ sessionId, paths }) =>
      unlessStorageFails(
        async () => {
          const inLayer = await parts.filesInLayer(sessionId, paths)
          if (inLayer !== null) return { paths: inLayer }
          const areFiles = await Promise.all(paths.map((path) => isFileInFolders(pathOf(parts, { sessionId, path }), parts.openFolders())))
          return { paths: paths.filter((_, at) => areFiles[at] === true) }
        },
        () => ({ paths: [] }),
      ),
    editors: () => editorsHere(),
    machine: async () => ({ facts: await machineFacts() }),
    launchVariables: () => launchVariables(),
    openLink: ({ url }) => host.openLink(url),
  }
}

/** The path is relative to the session's folder. If there is no such session, only an absolute path works. */
function pathOf({ folderOf }: AppHandlerParts, { sessionId, path }: { readonly sessionId: SessionId; readonly path: string }): string {
  const folder = folderOf(sessionId)
  if (folder === null) return path
  const { place, folder: inPlace } = parseAddress(folder)
  // A file on another machine must not be mistaken for a file with the same path on this computer.
  return place === null ? resolve(folder, path) : addressOf(place, posix.resolve(inPlace, path))
}

/** Where the user's programs find a file, and the folders that must contain its real path. */
async function shownPath(
  parts: AppHandlerParts,
  named: { readonly sessionId: SessionId; readonly path: string },
): Promise<Result<{ readonly path: string; readonly folders: readonly string[] }, Trouble>> {
  const path = pathOf(parts, named)
  const found = await parts.fileInLayer(named.sessionId, path)
  if (!found.ok) return found
  return ok(found.value === null ? { path, folders: parts.openFolders() } : { path: found.value.path, folders: [found.value.root] })
}

function notThere(what: 'shown' | 'opened', path: string): Trouble {
  return {
    code: 'not_in_folder',
    what: `${path} was not ${what}: it no longer exists, or it is outside the open folders.`,
    kept: 'Everything is unchanged.',
    todo: 'Open its folder, or look at the changes to see what happened to the file.',
  }
}

const NOT_OFFERED: Trouble = {
  code: 'not_offered',
  what: 'This command has ended, or the question about it was answered in another window.',
  kept: 'All other commands keep running.',
  todo: 'No action needed.',
}

function healthOf({ store, unsaved }: AppHandlerParts): Promise<StorageHealth> {
  return unlessStorageFails(
    async () => {
      await store.count()
      return unsaved ? { ...store.health(), trouble: unsaved, onDisk: 0 } : store.health()
    },
    (trouble) => ({ trouble, onDisk: 0, listed: 0 }),
  )
}

const refused = (trouble: Trouble): Done => ({ ok: false, trouble })
const done = (trouble: Trouble | null): Done => (trouble === null ? { ok: true } : refused(trouble))

function onHealth(store: Store, changed: () => void): DisposableStore {
  const both = new DisposableStore()
  both.add(store.onTrouble(changed))
  both.add(store.subscribeAll(changed))
  return both
}
