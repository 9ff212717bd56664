import { listedNames } from '../../shared/lib/short-count.ts'
import type { ExecutedFile } from '../../shared/session/effects.ts'

/** The real paths of scripts, each with a hash of its content. */
export type ScriptHashes = Readonly<Record<string, string>>

export const hashesOf = (scripts: readonly ExecutedFile[]): ScriptHashes =>
  Object.fromEntries(scripts.map(({ path, hash }) => [path, hash]))

/** The scripts whose content is not the one that the user trusted, as they are shown. */
export const changedScripts = (trusted: ScriptHashes, now: readonly ExecutedFile[]): readonly string[] =>
  now.filter(({ path, hash }) => trusted[path] !== hash).map(({ shown }) => shown)

const MAX_NAMED = 3

/** Why something does not run. `place` says where the user can review it. */
export const changedWords = (changed: readonly string[], place: string): string =>
  `${listedNames(changed, MAX_NAMED)} changed since you trusted it. It will not run until you review it in ${place}.`
