import { join } from 'node:path'
import type { MovedFile, MovedFolder } from '../../shared/api/sessions.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import { leftInLayerWords } from '../../shared/session/file-change.ts'
import { createSlices } from '../agent/event-loop-slices.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import type { LayerChange } from '../agent/ports/layers.ts'
import type { Store } from '../store/store.ts'
import type { Workspaces } from '../workspace/workspaces.ts'

export interface MovedFolderParts {
  readonly store: Pick<Store, 'sessions' | 'changeInFolder' | 'eventsAfter'>
  readonly workspaces: Workspaces
}

const UNKNOWN: MovedFolder = { files: [], own: null, leftOut: [] }

/** Number of files whose writers are looked up. */
const MOST_WRITERS = 20

/**
 * Which files have changed in the folder since a session's layer was made or took the folder's changes over, and how many files the session
 * has changed. Unknown for other sessions.
 */
export async function movedFolder({ store, workspaces }: MovedFolderParts, sessionId: SessionId): Promise<MovedFolder> {
  const session = store.sessions.get(sessionId)
  if (session?.config.where?.kind !== 'beside') return UNKNOWN
  const opened = await workspaces.open(session.folder)
  if (!opened.ok) return UNKNOWN
  const { layers, environment, close } = opened.value
  try {
    if (layers === null) return UNKNOWN
    // Comes first: what was brought in has changed in the folder too, but is the same in the layer, and counts as known from then on.
    const changes = await layers.changes(sessionId)
    const own = new Set(changes.files.map(({ path }) => path))
    const moved = await layers.moved(sessionId)
    const writer = writerIn(store, environment, { sessionId, folder: moved.folder })
    const slice = createSlices()
    const files: MovedFile[] = []
    for (const [index, file] of moved.files.entries()) {
      const { at, by } = index < MOST_WRITERS ? await writer(file) : { at: null, by: null }
      files.push({ path: file.path, isInLayer: own.has(file.path), at, by })
      await slice()
    }
    return { files, own: own.size, leftOut: leftInLayerWords(changes) }
  } finally {
    await close()
  }
}

/** Finds out when a file of the folder was written, and which session has written this version since `sessionId` began. */
function writerIn(
  store: MovedFolderParts['store'],
  environment: Pick<ExecutionEnvironment, 'lstat'>,
  { sessionId, folder }: { readonly sessionId: SessionId; readonly folder: string },
) {
  let began: number | null = null
  return async ({ path, own }: LayerChange): Promise<Pick<MovedFile, 'at' | 'by'>> => {
    began ??= firstEventOf(store, sessionId)
    const absolute = join(folder, path)
    const stat = own && (await environment.lstat(absolute).catch(() => null))
    const last = store.changeInFolder(began, absolute)
    const isLast = last !== null && last.after === (own?.hash ?? null)
    return { at: stat?.mtimeMs ?? null, by: isLast ? { title: last.title, step: last.step } : null }
  }
}

function firstEventOf(store: Pick<Store, 'eventsAfter'>, sessionId: SessionId): number {
  for (const [first] of store.eventsAfter(sessionId, 0)) if (first) return first.seq
  return 0
}
