import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import type { SessionSummary } from '../../../shared/api/sessions.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import { isFar } from '../../../shared/places/address.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import type { ExecutionEnvironment } from '../../agent/ports/execution-environment.ts'
import { removeFolder } from '../../environment/copy/changes/tree-thread.ts'
import { placesOf } from '../../environment/layers/layer-places.ts'
import { openTemporaryFolder } from '../../environment/temporary-folder.ts'
import { layerPlacesIn } from '../../host-process/here/folder-layers.ts'
import { fetchTree } from '../../places/clone/fetch-tree.ts'
import { fetchWork, type WorkSource } from '../../places/clone/fetch-work.ts'
import { takeSnapshot } from '../../places/clone/take-snapshot.ts'
import type { Store } from '../../store/store.ts'
import { NO_LAYERS, type Workspaces } from '../../workspace/workspaces.ts'
import type { AppParts } from '../app-parts.ts'
import { openPlace } from './session-place.ts'

export interface LayerSessionParts {
  readonly store: Store
  readonly workspaces: Workspaces
  readonly parts: Pick<AppParts, 'dataFolder'>
}

/** `kept`: our folder with the snapshot of the user's folder and the work that was fetched. */
export interface FetchedWork {
  readonly kept: string
  dispose(): Promise<void>
}

/**
 * Fetches the commits and the files of a session's layer. Fails if the folder has newer changes that the layer lacks, because a commit of
 * the layer's files would revert them.
 */
export async function layerWork(parts: LayerSessionParts, session: SessionSummary): Promise<Result<FetchedWork, Trouble>> {
  const { folder } = session
  const owner = parts.store.sessions.layerOf(session.sessionId)
  if (owner === null) return failed(NO_LAYERS)
  if (isFar(folder)) return failed(ON_ANOTHER_MACHINE)
  const opened = await openPlace(parts, session)
  if (!opened.ok) return opened
  const { environment, inside, exclusively, close } = opened.value
  const fetched = async (): Promise<Result<FetchedWork, Trouble>> => {
    if ((await environment.stat(join(folder, '.git'))) === null) return failed(hasNoRepository(folder))
    const moved = await movedFiles(parts, folder, owner)
    if (!moved.ok) return moved
    if (moved.value > 0) return failed(hasMoved(moved.value))
    const temporary = await openTemporaryFolder('branch')
    const dispose = (): Promise<void> => removeFolder(temporary)
    try {
      const kept = join(temporary, 'work')
      const { head, top } = await takeSnapshot(folder, kept)
      // Programs in a clone are not confined, and the session may have configured some in its repository.
      if (inside === null) await fetchTree(placesOf(layerPlacesIn(parts.parts.dataFolder).layers, owner).tree, kept, head)
      else await fetchWork({ top, run: runIn(environment) }, kept, head)
      return ok({ kept, dispose })
    } catch (error) {
      await dispose()
      throw error
    }
  }
  try {
    return await exclusively(fetched, new AbortController().signal)
  } finally {
    await close()
  }
}

const runIn =
  (environment: ExecutionEnvironment): WorkSource['run'] =>
  async (line, { limitMs, signal, onOutput }) => {
    const program = await environment.open(['/bin/sh', '-c', line], { signal: AbortSignal.any([signal, AbortSignal.timeout(limitMs)]) })
    program.stdin.end()
    let stderr = ''
    program.stdout.on('data', onOutput)
    program.stderr.on('data', (bytes: Buffer) => (stderr = (stderr + bytes.toString()).slice(-4_000)))
    // The exit code is more informative than a broken pipe.
    const [{ exitCode }] = await Promise.all([program.ended, finished(program.stdout).catch(() => {})])
    signal.throwIfAborted()
    return { exitCode, stderr }
  }

/** The number of files that have changed in the folder and not in the layer. */
async function movedFiles(
  { workspaces }: Pick<LayerSessionParts, 'workspaces'>,
  folder: string,
  owner: SessionId,
): Promise<Result<number, Trouble>> {
  const opened = await workspaces.open(folder)
  if (!opened.ok) return opened
  const { layers, close } = opened.value
  try {
    return layers === null ? failed(NO_LAYERS) : ok((await layers.moved(owner)).files.length)
  } finally {
    await close()
  }
}

const KEPT = 'Your repository and the session are unchanged.'

const ON_ANOTHER_MACHINE: Trouble = {
  code: 'branch_not_made',
  what: 'This session’s layer is on another machine, but branches can only be made in a repository on this computer.',
  kept: KEPT,
  todo: 'Bring its changes in without --branch, then commit them there.',
}

const hasNoRepository = (folder: string): Trouble => ({
  code: 'branch_not_made',
  what: `${folder} has no git repository of its own, so a branch cannot be made from the session’s layer.`,
  kept: KEPT,
  todo: 'Bring its changes in without --branch, then commit them.',
})

const hasMoved = (files: number): Trouble => ({
  code: 'folder_moved',
  what: `${files === 1 ? 'A file has' : `${files} files have`} changed in the folder, and the layer does not have the change, so a branch would revert it.`,
  kept: KEPT,
  todo: 'Take over the folder’s changes into the layer, then make the branch.',
})
