import type { ChangedScript, ScriptHashes } from '../../shared/api/changed-scripts.ts'
import { listedNames } from '../../shared/lib/short-count.ts'
import type { ExecutedFile } from '../../shared/session/effects.ts'

export const hashesOf = (scripts: readonly ExecutedFile[]): ScriptHashes =>
  Object.fromEntries(scripts.map(({ path, hash }) => [path, hash]))

/** The scripts whose content is not the one that the user trusted. */
export const changedScripts = (trusted: ScriptHashes, now: readonly ExecutedFile[]): readonly ExecutedFile[] =>
  now.filter(({ path, hash }) => trusted[path] !== hash)

const MAX_NAMED = 3

/** Why something does not run. `place` says where the user can review it. */
export const changedWords = (changed: readonly Pick<ExecutedFile, 'shown'>[], place: string): string =>
  `${listedNames(
    changed.map(({ shown }) => shown),
    MAX_NAMED,
  )} changed since you trusted it. It will not run until you review it in ${place}.`

/** Reads at most this many bytes of a file. Rejects if it is larger or cannot be read. */
export type ReadScript = (path: string, limit: { readonly maxBytes: number }) => Promise<Uint8Array>

/** Stores the contents of trusted scripts, so that a later change can be shown. */
export interface TrustedContents {
  /** Stores the contents that still have these hashes. Larger files are left out. Never rejects. */
  keep(scripts: readonly ExecutedFile[], read: ReadScript): Promise<void>
  /** What changed in these scripts since they were trusted. Never rejects. */
  changes(trusted: ScriptHashes, changed: readonly ExecutedFile[], read: ReadScript): Promise<readonly ChangedScript[]>
}
