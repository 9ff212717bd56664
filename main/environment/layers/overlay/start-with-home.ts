import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeLayer } from '../../copy/overlay-layer.ts'
import { isBelow } from '../../copy/start/sandbox-view.ts'
import { hasKeptNote, noteKeptFiles, noteProgram, saveKeptFiles } from './kept-files.ts'
import { leftHomeFolders, openTemporaryFolder } from '../../temporary-folder.ts'
import { hasFailedHome, type RunningInLayer } from './running-in-layer.ts'
import { type LayerStart, startInLayer, type StartParts } from './start-in-layer.ts'

/**
 * Starts a program in a layer, with a home folder in which it can write. When the program ends, its changes to the `writable` paths are
 * saved in the real home folder, and all others are removed. If they could not be saved, or the app was killed before, the next start saves
 * them. If home cannot be covered, because something is mounted in it or the temporary folder is in it, home is read-only.
 */
export async function startWithHome(parts: StartParts, argv: readonly [string, ...string[]], start: LayerStart): Promise<RunningInLayer> {
  const { home, layer } = parts
  const at = tmpdir()
  if (home === null || isBelow(home, at)) return startInLayer(parts, argv, start)
  const scratch = await makeScratch().catch(() => null)
  if (scratch === null) return startInLayer(parts, argv, start)
  const remove = (): Promise<void> => removeLayer({ path: scratch }).catch(() => {})
  try {
    const paths = start.writable ?? []
    // What programs of a killed app had changed, such as an agent that was signed in, is there for the next one.
    if (paths.length > 0) for (const left of await leftHomeFolders()) await saveKeptFiles(left).catch(() => {})
    await noteKeptFiles({ paths, home, scratch, layer: layer.path })
    const running = await startInLayer({ ...parts, scratch }, argv, { ...start, onEnd: () => saveKeptFiles(scratch) })
    await noteProgram(scratch, running.pid).catch(() => {})
    // What could not be saved is left for the next start.
    void running.ended.then(async () => (await hasKeptNote(scratch)) || (await remove()))
    return running
  } catch (error) {
    await remove()
    if (!(await hasFailedHome(layer))) throw error
    return startInLayer(parts, argv, start)
  }
}

/** An overlay must not keep its changes inside the folder that it covers, and Countersign's data folder is usually below home. */
async function makeScratch(): Promise<string> {
  const path = await openTemporaryFolder('home')
  await Promise.all(['up', 'work'].map((name) => mkdir(join(path, name), { mode: 0o700 })))
  return path
}
