import { join } from 'node:path'
import type { SetAside } from '../../../../shared/session/file-change.ts'
import type { ConfinementOwner } from '../../../agent/ports/command-copies.ts'
import { isSettled } from '../../comparison/read-folder.ts'
import type { IsControl } from '../changes/ignored-tree.ts'
import { createControlContents, type StandingControl } from './control-file-contents.ts'
import { createCheck } from './control-guard.ts'
import { createControlFileListing, statsOf } from './control-file-listing.ts'
import { type GuardOfKilled, readKeptGuard } from './persisted-guard.ts'
import { createKnownControlFiles } from './known-control-files.ts'

/** Control files that a confined program had made or changed when the app was killed. */
export interface FoundAfterKill {
  /** The folder's path as the program saw it. */
  readonly folder: string
  readonly owner: ConfinementOwner | null
  readonly moved: readonly SetAside[]
}

/**
 * Checks the folder of a guard whose process was killed, as the guard itself would have done after the command. Changes made more than 10 s
 * after that process's last sign of life are left alone, because the process must have died by then. Null if nothing was found, or if
 * another folder is in its place now. Rejects if the layer or the folder cannot be read.
 */
export async function checkAfterKill(layer: string, layers: string, isControl: IsControl): Promise<FoundAfterKill | null> {
  const kept = await readKeptGuard(layer)
  const root = kept && statsOf(kept.source)
  if (!kept || !root?.isDirectory() || root.ino !== kept.root.ino || root.birthtimeMs !== kept.root.bornAt) return null
  const { folder, source, since, diedBy, owner } = kept
  const isDuring = (at: number): boolean => !isSettled(at, since) && at <= diedBy
  // Ignore rules that the command may have written do not count, because they could hide its control files.
  const counts = (file: string): boolean => !isDuring(statsOf(file)?.ctimeMs ?? 0)
  const { paths } = await createControlFileListing(source, isControl, counts)((path) => !kept.unreadable.has(path))
  const contents = createControlContents(source)
  const known = createKnownControlFiles(contents, { entries: withDevice(kept, root.dev), closed: kept.closed })
  const signedAt = (path: string): ReadonlySet<string> => kept.signed.get(join(folder, path)) ?? new Set()
  const check = createCheck({ folder: source, isControl, layers, signedAt }, { contents, known, later: () => Promise.resolve(paths) })
  const moved = await check((now) => isDuring(now.changedAt) || (!known.isOld(now) && isDuring(now.bornAt)))
  return moved.length === 0 ? null : { folder, owner, moved }
}

/**
 * The entries with the folder's current device number, because the same file system may have another number after a restart of the machine.
 */
function withDevice({ entries, root }: GuardOfKilled, device: number): ReadonlyMap<string, StandingControl> {
  if (root.dev === device) return entries
  const renamed = ([path, one]: readonly [string, StandingControl]) =>
    [path, { ...one, identity: one.identity.replace(new RegExp(`^${root.dev}:`, 'u'), `${device}:`) }] as const
  return new Map([...entries].map(renamed))
}
