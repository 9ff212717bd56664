import { join } from 'node:path'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Recovered } from '../../environment/copy/apply-journal.ts'
import { recoverCopiesIn } from '../../environment/copy/copies-left-behind.ts'
import type { CrashNotes } from '../../environment/crash-notes.ts'
import { createFolderComparison } from '../../environment/comparison/folder-comparison.ts'
import { createSignedFiles } from '../../environment/copy/guard/control-file-contents.ts'
import { createLocalExecutionEnvironment, type LocalExecutionEnvironment } from '../../environment/local-environment.ts'
import { NOTHING_HIDDEN } from '../../environment/nothing-hidden.ts'
import { copiesFolderIn, createFolderCopies, isControl } from '../here/folder-copies.ts'
import { createFolderLayers, layerPlacesIn } from '../here/folder-layers.ts'
import type { Site } from '../site.ts'
import type { OpenRequest } from '../wire/messages.ts'
import { type ContentStore, createContentStore, removeUnused } from './content-store.ts'

/** The folder that a host process serves. */
export interface ServedFolder extends Site {
  readonly environment: LocalExecutionEnvironment
  /** The contents of files in layers. Null if there are no layers. */
  readonly contents: ContentStore | null
  /** Sets the patterns of the files that programs in a session's layer may not read. */
  deny(sessionId: SessionId, patterns: readonly string[]): void
  /** The changes that a killed host process left unfinished, of which the user must be informed. */
  readonly recovered: Promise<Recovered[]>
  /** Ends all programs in the folder and its layers. */
  close(): Promise<void>
}

export function openFolder(
  { folder, data, hidden, options }: Pick<OpenRequest, 'folder' | 'data' | 'hidden' | 'options'>,
  notes: CrashNotes,
): ServedFolder {
  const environment = createLocalExecutionEnvironment(folder, { ...options, notes })
  const comparison = createFolderComparison(folder, { ownFolders: hidden })
  const denied = new Map<SessionId, readonly string[]>()
  const own = data === null ? null : copiesAndLayers(data)
  function copiesAndLayers(dataFolder: string) {
    const allowVariables = (): readonly string[] => options.allowVariables ?? []
    const contents = createContentStore(contentsIn(dataFolder))
    const shared = { dataFolder, hidden, signed: createSignedFiles(), notes, allowVariables }
    const work = createFolderLayers({
      hidden,
      places: layerPlacesIn(dataFolder),
      blobs: contents,
      notes,
      // Secrets are hidden on the near side: this side does not know them.
      redactor: NOTHING_HIDDEN,
      allowVariables,
      denied: (_, sessionId) => denied.get(sessionId) ?? [],
      visible: () => [],
      writable: () => [],
      createCopies: (of, source, above) => createFolderCopies({ ...shared, folder: of, source, ...(above && { above }) }),
    })
    return { contents, work, copies: createFolderCopies({ ...shared, folder }), layers: work.layersOf(folder) }
  }
  return {
    environment,
    comparison,
    copies: own?.copies ?? null,
    layers: own?.layers ?? null,
    contents: own?.contents ?? null,
    inside: null,
    recovered: data === null ? Promise.resolve([]) : recover(data),
    deny: (sessionId, patterns) => void denied.set(sessionId, patterns),
    async close() {
      comparison.dispose()
      await own?.work.close()
      await own?.copies.cleanup()
      await environment.cleanup()
    },
  }
}

const contentsIn = (dataFolder: string): string => join(dataFolder, 'contents')

/** Undoes the changes that a killed host process was applying to the folder, and removes unused contents. */
async function recover(dataFolder: string): Promise<Recovered[]> {
  // If this fails, unused contents only take up disk space.
  void removeUnused(contentsIn(dataFolder), layerPlacesIn(dataFolder).layers).catch(() => {})
  return [...(await recoverCopiesIn(copiesFolderIn(dataFolder), isControl))]
}
