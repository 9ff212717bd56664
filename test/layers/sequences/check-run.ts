import type { Read } from './app-calls.ts'
import { AppKilled } from './driven-app.ts'
import { readInFolder } from './folder-files.ts'
import { type Cells, cellsOf, type Files, isSame, type Layer, PATHS, seen, settle } from './reference.ts'
import { type Run, same, type World } from './run.ts'

export function checkFolder({ folder }: Run, wanted: Files): void {
  same('the folder', Object.fromEntries(PATHS.map((path) => [path, readInFolder(folder, path)])), Object.fromEntries(wanted))
}

/** Checks the folder and every layer. */
export async function checkAll(run: Run): Promise<void> {
  compare(run, run.world, await readLayers(run))
}

/** After a kill, makes the first candidate that fits the folder and the layers the world of the run. */
export async function adoptOneOf(run: Run, candidates: readonly World[]): Promise<void> {
  const found = await readLayers(run)
  const differences: string[] = []
  for (const candidate of candidates) {
    try {
      compare(run, candidate, found)
      run.world = candidate
      return
    } catch (error) {
      differences.push(String(error))
    }
  }
  throw new Error(`After a kill, nothing fits:\n${differences.join('\n')}`)
}

async function readLayers(run: Run): Promise<readonly Read[]> {
  try {
    const found: Read[] = []
    for (const { sessionId } of run.sessions) found.push(await run.app.call('read', { sessionId, paths: PATHS }))
    return found
  } catch (error) {
    if (!(error instanceof AppKilled)) throw error
    return readLayers(run)
  }
}

/** Throws the difference if the folder or a layer is not as in this world. */
function compare(run: Run, wanted: World, found: readonly Read[]): void {
  checkFolder(run, wanted.folder)
  for (const [index, layer] of wanted.layers.entries()) {
    const read = found[index]
    if (read === undefined) throw new Error('A session is missing.')
    const shown = new Map(read.seen.map(([path, text]) => [path, cellsOf(text)]))
    adoptUnsure(layer, wanted.folder, shown)
    adoptUnsureBases(layer, wanted.folder, read)
    settle(layer, wanted.folder)
    const mustShow = PATHS.map((path) => [path, seen(layer, wanted.folder, path)])
    same(`what layer ${index} shows`, Object.fromEntries(shown), Object.fromEntries(mustShow))
    const changes = read.changes.map(([path, base, own]) => [path, { base: cellsOf(base), own: cellsOf(own) }] as const)
    same(`what layer ${index} has changed`, Object.fromEntries(changes), changesOf(layer))
  }
}

function changesOf({ base, own }: Layer): Readonly<Record<string, unknown>> {
  const changed = [...own].filter(([path, cells]) => !isSame(cells, base.get(path) ?? null))
  return Object.fromEntries(changed.map(([path, cells]) => [path, { base: base.get(path) ?? null, own: cells }]))
}

/** If the kernel may have based a file on the folder's current file, and the app says that it has, so does the reference. */
function adoptUnsureBases(layer: Layer, folder: Files, { changes }: Read): void {
  for (const path of layer.unsureBase) {
    const now = folder.get(path) ?? null
    if (changes.some(([changed, base]) => changed === path && isSame(cellsOf(base), now))) layer.base.set(path, now)
  }
  layer.unsureBase.clear()
}

/** At paths where the kernel decides whether the folder's file shows through, adopts what the layer shows. */
function adoptUnsure(layer: Layer, folder: Files, shown: ReadonlyMap<string, Cells>): void {
  for (const path of layer.unsure) {
    if (folder.get(path) === null) continue
    layer.unsure.delete(path)
    if (shown.get(path) === null) continue
    layer.own.delete(path)
    layer.base.delete(path)
  }
}
