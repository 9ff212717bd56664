import { checkAll } from './check-run.ts'
import { type Killed, perform } from './perform.ts'
import { copyLayer, isSame, moved, seen, takenOver, write } from './reference.ts'
import { copyOf, layerOf, type Run, same, sessionOf, type World } from './run.ts'

const MOST_SESSIONS = 3

/** Undoes the newest step of the agent in its layer, unless its files have changed since. */
export async function undoInside(run: Run, index: number, killed: Killed): Promise<void> {
  const session = sessionOf(run, index)
  const { inside: last, sessionId } = session
  const layer = layerOf(run.world, index)
  session.inside = null
  const isUndoable = last?.files.every(
    ({ path, before, after }) => !isSame(before, after) && isSame(seen(layer, run.world.folder, path), after),
  )
  if (!last || !isUndoable) return
  const after = copyOf(run.world)
  const halves: World[] = []
  for (const { path, before } of last.files) {
    write(layerOf(after, index), after.folder, path, before)
    halves.unshift(copyOf(after))
  }
  const undo = async (): Promise<void> => same('what is skipped inside', await run.app.call('undo', { sessionId, step: last.step }), [])
  await perform(run, undo, [after, ...halves], killed)
}

export async function takeOver(run: Run, index: number, killed?: Killed): Promise<void> {
  const { sessionId } = sessionOf(run, index)
  const after = copyOf(run.world)
  const paths = moved(layerOf(run.world, index), run.world.folder)
  takenOver(layerOf(after, index), after.folder)
  const halves = subsets(paths).map((some) => partlyTaken(run.world, after, index, some))
  if (await perform(run, () => run.app.call('takeOver', { sessionId }), [after, ...halves], killed)) await checkAll(run)
}

/** The world if a kill interrupts taking over: these files are merged and based on the folder's versions, the others are as before. */
function partlyTaken(before: World, after: World, index: number, paths: readonly string[]): World {
  const half = copyOf(before)
  const taken = layerOf(after, index)
  for (const path of paths) {
    layerOf(half, index).own.set(path, taken.own.get(path) ?? null)
    layerOf(half, index).base.set(path, taken.base.get(path) ?? null)
    if (taken.unsure.has(path)) layerOf(half, index).unsure.add(path)
  }
  return half
}

const subsets = (paths: readonly string[]): readonly (readonly string[])[] =>
  paths.reduce<readonly (readonly string[])[]>((all, path) => [...all, ...all.map((one) => [...one, path])], [[]])

export async function fork(run: Run, index: number, killed: Killed): Promise<void> {
  if (run.sessions.length >= MOST_SESSIONS) return
  const { sessionId } = sessionOf(run, index)
  const forked: { value: string | null } = { value: null }
  const make = async (): Promise<void> => {
    forked.value = await run.app.call('fork', { sessionId })
  }
  const isDone = await perform(run, make, [copyOf(run.world)], killed)
  if (!isDone || forked.value === null) return
  run.sessions.push({ sessionId: forked.value, signed: [], inside: null })
  run.world = { ...run.world, layers: [...run.world.layers, copyLayer(layerOf(run.world, index))] }
}
