import { createHash } from 'node:crypto'
import type { ScriptHashes } from '../../shared/api/changed-scripts.ts'
import type { ListedTool } from './connection.ts'
import type { ServerEntry } from './server-entries.ts'

/** What the user has decided about a server. */
export interface ServerChoice {
  /** Hash of the entry for which the tools were approved. */
  readonly entry: string
  /** The approved tools; null if none have been approved yet. */
  readonly tools: readonly ListedTool[] | null
  /** Names of tools that are switched off. */
  readonly off: readonly string[]
  readonly isFree: boolean
  /**
   * For each folder, the files of the folder that the entry names, as they were when the server was trusted to run them with the user's
   * rights. If absent, it has not run with these rights.
   */
  readonly scripts?: Readonly<Record<string, ScriptHashes>>
}

/** Reads the user's decision for a key that `keyOf` returned. */
export interface Choices {
  choice(key: string): ServerChoice | null
}

/** Whose file names the server: the user's own, or the project's. */
export type ServerOrigin = 'you' | 'project'

/** The key of a server in the user's decisions. A server of the user's own file has the same key in all folders. */
export const keyOf = (origin: ServerOrigin, folder: string, name: string): string =>
  JSON.stringify([origin === 'you' ? null : folder, name])

export const hashOfEntry = (entry: ServerEntry): string => createHash('sha256').update(JSON.stringify(entry)).digest('hex')

/**
 * Returns the user's decision for exactly this entry. If the decision was made for a different entry with the same name, only `off` is
 * kept.
 */
export function choiceFor({ choice }: Choices, { key, hash }: { readonly key: string; readonly hash: string }): ServerChoice {
  const kept = choice(key)
  if (kept?.entry === hash) return kept
  return { entry: hash, tools: null, off: kept?.off ?? [], isFree: false }
}
