import { existsSync, lstatSync, readlinkSync } from 'node:fs'
import { chmod, mkdtemp, readdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { removeFolder } from './copy/changes/tree-thread.ts'
import { orNull } from './environment-failure.ts'

/**
 * The purpose of a temporary folder. Folders that are meant to outlive their process (a rehearsal's sample project) are not created here.
 */
const USES = ['blobs', 'branch', 'data', 'home', 'questions', 'read-only', 'shell'] as const
export type TemporaryUse = (typeof USES)[number]

/**
 * Creates a folder in the system's temp folder that only its owner can enter. Its name contains this process's pid, so that
 * `sweepTemporaryFolders` of a later launch can tell that the folder is no longer needed. The caller removes the folder.
 */
export function openTemporaryFolder(use: TemporaryUse): Promise<string> {
  return mkdtemp(join(tmpdir(), `countersign-${use}-${OWNER}-`))
}

/**
 * A temporary folder with a short path, for sockets. Their paths may have about 100 characters, and macOS's own temporary folder has a long
 * path.
 */
export function openSocketFolder(): Promise<string> {
  return mkdtemp(join(SHORT_FOLDER, `cs-${OWNER}-`))
}

const SHORT_FOLDER = '/tmp'

/** The file that says what else must be saved before a folder of the use `home` is removed (`kept-files.ts`). */
export const keptNoteIn = (folder: string): string => join(folder, 'kept.json')

/** The folders of the use `home` that killed processes have left. */
export const leftHomeFolders = async (): Promise<readonly string[]> =>
  (await leftFoldersIn(tmpdir())).filter((path) => basename(path).startsWith('countersign-home-'))

/**
 * Removes the temporary folders of killed processes. Keeps folders whose process is running, or may be running in another container that
 * shares the temp folder, and folders of other users. Never throws: a folder that cannot be removed is left for the next launch. `save`:
 * called before a folder with a note is removed.
 */
export async function sweepTemporaryFolders(save: (folder: string) => Promise<void>): Promise<void> {
  const places = [...new Set([tmpdir(), SHORT_FOLDER])]
  const left = (await Promise.all(places.map(leftFoldersIn))).flat()
  if (left.length === 0) return
  for (const folder of left) {
    // In an overlay, the kernel creates this folder without any permissions.
    await chmod(join(folder, 'work', 'work'), 0o700).catch(() => {})
    const saved = existsSync(keptNoteIn(folder)) ? save(folder) : Promise.resolve()
    await saved.then(() => removeFolder(folder)).catch(() => {})
  }
}

async function leftFoldersIn(place: string): Promise<readonly string[]> {
  const entries = await readdir(place, { withFileTypes: true }).catch(() => [])
  const left = entries.filter((entry) => entry.isDirectory() && isLeft(entry.name)).map(({ name }) => join(place, name))
  // Everybody may create such a folder, and what its note says is written to home.
  return left.filter((path) => orNull(() => lstatSync(path))?.uid === (process.getuid?.() ?? 0))
}

/** Pids are unique only within a pid namespace. "0" on systems without such namespaces (macOS, Windows). */
export const PROCESS_SPACE = processSpace()

function processSpace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0'
  } catch {
    return '0'
  }
}

/** This process, in the name of a folder. */
const OWNER = `${process.pid}.${PROCESS_SPACE}`

const OURS = new RegExp(`^(?:countersign-(?:${USES.join('|')})|cs)-(\\d+)\\.(\\d+)-`, 'u')

function isLeft(name: string): boolean {
  const [, pid, space] = OURS.exec(name) ?? []
  return pid !== undefined && space === PROCESS_SPACE && !isRunning(Number(pid))
}

/** Whether there is a process with this pid in the same pid namespace, whoever owns it. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** A temporary data folder, given by its real path. It exists until `remove` is called. */
export interface TemporaryDataFolder {
  readonly path: string
  remove(): Promise<void>
}

export async function temporaryDataFolder(): Promise<TemporaryDataFolder> {
  const path = await realpath(await openTemporaryFolder('data'))
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) }
}
