import { randomBytes } from 'node:crypto'
import { chmod, mkdir, open, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { explained } from '../environment-failure.ts'
import { startTimeOf } from '../process/find-processes.ts'
import { isRunning, PROCESS_SPACE } from '../temporary-folder.ts'
import { removeFolder } from './changes/tree-thread.ts'
import { systemCallFilter } from './start/system-call-filter.ts'

/** The paths where one copy stores what its command wrote. The folder belongs to Countersign and is hidden in every copy. */
export interface Layer {
  readonly path: string
  /** Contains what the command changed. */
  readonly up: string
  /** Created when the copy began. An entry whose change time is earlier has not changed since. */
  readonly started: string
  /** Contains new bytes, and the bytes that they replace, while the change set is applied. */
  readonly staged: string
  readonly journal: string
  readonly empty: string
  /** A file that nobody may read. */
  readonly cover: string
}

/**
 * The name identifies the process that uses the copy by its pid, its pid namespace and its start time, so that a later launch can find
 * leftovers. Without the start time, another process with the same pid could be mistaken for it, for example after a restart of the
 * machine.
 */
const NAME = /^copy-(\d+)\.(\d+)(?:\.(\d+))?-[0-9a-f]{12}$/
const OWNER = /^(\d+)\.(\d+)(?:\.(\d+))?$/
/** The name of a folder with ignored trees of a change set that waits for an answer. */
const HELD = /^held-(\d+)\.(\d+)(?:\.(\d+))?-[0-9a-f]{12}$/

export interface SeenInside {
  readonly folder: string
  readonly home: string | null
  readonly scratch: string | null
}

/**
 * Creates a layer. If that fails, nothing is left of it. In the layer, `low` and `home` are links to the folder and to the user's home,
 * `scratch` is a link to a folder that keeps what is written below home, and `filter` lists the system calls that fail.
 */
export async function makeLayer(layers: string, seen: SeenInside): Promise<Layer> {
  return makeLayerAt(join(layers, newName('copy')), seen)
}

/** Creates a layer and the folders above it. Nothing may exist at its path. If it fails, it removes what it has created of the layer. */
export async function makeLayerAt(path: string, seen: SeenInside): Promise<Layer> {
  const layer = layerAt(path)
  let isOurs = false
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await mkdir(path, { mode: 0o700 })
    isOurs = true
    await fillNewLayer(layer, seen)
  } catch (error) {
    if (isOurs) await removeLayer(layer).catch(() => {})
    throw explained(error, 'write below', dirname(path))
  }
  return layer
}

async function fillNewLayer({ path, empty, cover }: Layer, seen: SeenInside): Promise<void> {
  await Promise.all([
    ...['up', 'work', 'staged'].map((name) => mkdir(join(path, name), { mode: 0o700 })),
    seen.scratch === null ? mkdir(join(path, 'scratch'), { mode: 0o700 }) : symlink(seen.scratch, join(path, 'scratch')),
    symlink(seen.folder, join(path, 'low')),
    ...(seen.home === null ? [] : [symlink(seen.home, join(path, 'home'))]),
    writeFile(join(path, 'filter'), systemCallFilter({ refusesHardLinks: false }), { mode: 0o600 }),
  ])
  await (await open(empty, 'wx', 0o400)).close()
  await (await open(cover, 'wx', 0)).close()
}

/**
 * Puts folders between the layer and the folder below it, uppermost first. Returns the names of the links to all folders that show through
 * the layer.
 */
export async function linkLowers({ path }: Pick<Layer, 'path'>, between: readonly string[]): Promise<readonly string[]> {
  const names = between.map((_, index) => `low-${index + 1}`)
  await Promise.all(between.map((folder, index) => relink(folder, join(path, names[index] ?? ''))))
  return [...names, 'low']
}

/** Makes a link at `path`, and removes what was there. */
export async function relink(target: string, path: string): Promise<void> {
  await rm(path, { recursive: true, force: true })
  await symlink(target, path)
}

/** The name of a folder that is `/tmp` for the commands of one session. */
const TEMPORARY = /^temp-(\d+)\.(\d+)(?:\.(\d+))?-[0-9a-f]{12}$/

/** Makes a folder that is `/tmp` in all copies of a session. Returns its path. */
export async function makeTemporaryFolder(layers: string): Promise<string> {
  await mkdir(layers, { recursive: true, mode: 0o700 })
  const path = join(layers, newName('temp'))
  await makeTemporaryAt(path)
  return path
}

export async function makeTemporaryAt(path: string): Promise<void> {
  await mkdir(path)
  // The mode is the same as for every `/tmp`. The parent folders keep other users out.
  await chmod(path, 0o1777)
}

/** The name of a folder that stores what the guards of one process know about control files. */
const KNOWN = /^known-(\d+)\.(\d+)(?:\.(\d+))?-[0-9a-f]{12}$/

/** Makes a folder for what guards know. Returns its path. */
export async function makeKnownFolder(layers: string): Promise<string> {
  const path = join(layers, newName('known'))
  await mkdir(path, { mode: 0o700 })
  return path
}

function newName(kind: 'copy' | 'held' | 'known' | 'temp'): string {
  return `${kind}-${ownerName()}-${randomBytes(6).toString('hex')}`
}

/** Identifies this process by its pid, its pid namespace and its start time. */
export const ownerName = (): string => [process.pid, PROCESS_SPACE, startTimeOf(process.pid)].filter((part) => part !== null).join('.')

/** Whether a name as of `ownerName` identifies a process that has ended. False if that is unknown, as for another pid namespace. */
export const hasOwnerEnded = (name: string): boolean => isLeft(name, OWNER)

/** Creates a folder in which ignored trees wait, and returns its name. */
export async function makeHeldFolder(layers: string): Promise<string> {
  const name = newName('held')
  await mkdir(join(layers, name), { mode: 0o700 })
  return name
}

/**
 * The names of the folders with ignored trees that were left behind by processes that have ended. A request about the trees in such a
 * folder may still wait for an answer.
 */
export async function heldLeftBehind(layers: string): Promise<readonly string[]> {
  const names = await readdir(layers).catch(() => [])
  return names.filter((name) => isLeft(name, HELD))
}

/** The shared folders (`/tmp`, and the guards' knowledge of control files) of processes that have ended. */
export async function sharedLeftBehind(layers: string): Promise<readonly Pick<Layer, 'path'>[]> {
  const names = await readdir(layers).catch(() => [])
  const left = names.filter((name) => isLeft(name, TEMPORARY) || isLeft(name, KNOWN))
  return left.map((name) => ({ path: join(layers, name) }))
}

export function layerAt(path: string): Layer {
  const at = (name: string): string => join(path, name)
  return {
    path,
    up: at('up'),
    started: at('started'),
    staged: at('staged'),
    journal: at('journal'),
    empty: at('empty'),
    cover: at('cover'),
  }
}

/** The layers whose processes have ended. */
export async function layersLeftBehind(layers: string): Promise<readonly Layer[]> {
  const names = await readdir(layers).catch(() => [])
  return names.filter((name) => isLeft(name, NAME)).map((name) => layerAt(join(layers, name)))
}

function isLeft(name: string, pattern: RegExp): boolean {
  const [, pid, space, start] = pattern.exec(name) ?? []
  if (pid === undefined || space !== PROCESS_SPACE) return false
  // Names from earlier versions contain no start time. If a start time is unknown, the process counts as the same one.
  const isOther = start !== undefined && (startTimeOf(Number(pid)) ?? start) !== start
  return isOther || !isRunning(Number(pid))
}

/** Removes a layer, whatever modes the command has set in it. */
export async function removeLayer({ path }: Pick<Layer, 'path'>): Promise<void> {
  // The kernel creates this folder without any permissions.
  await chmod(join(path, 'work', 'work'), 0o700).catch(() => {})
  const isGone = await removeFolder(path).then(
    () => true,
    () => false,
  )
  if (isGone) return
  await makeWritable(Buffer.from(path))
  await removeFolder(path)
}

/** Names are bytes here, because a command may have created any name. The previous attempt may still be removing some entries. */
async function makeWritable(folder: Buffer): Promise<void> {
  await chmod(folder, 0o700).catch(() => {})
  const entries = await readdir(folder, { withFileTypes: true, encoding: 'buffer' }).catch(() => [])
  for (const entry of entries) if (entry.isDirectory()) await makeWritable(Buffer.concat([folder, Buffer.from('/'), entry.name]))
}

/** An entry with this change time (in ns) or a later one changed while the copy existed. Null if no copy was begun. */
export async function startOf(layer: Layer): Promise<bigint | null> {
  const found = await stat(layer.started, { bigint: true }).catch(() => null)
  return found?.ctimeNs ?? null
}

/** Makes the creation of hard links fail in this layer, as on a disk that has none. Call this before the copy starts. */
export function refuseHardLinks({ path }: Layer): Promise<void> {
  return writeFile(join(path, 'filter'), systemCallFilter({ refusesHardLinks: true }), { mode: 0o600 })
}
