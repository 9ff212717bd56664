import { join } from 'node:path'
import { createSlices } from '../../agent/event-loop-slices.ts'
import type { GrepMatch } from '../../agent/ports/execution-environment.ts'
import { readRegularFile } from '../files/read-regular-file.ts'
import { textOfBytes } from './match-lines.ts'
import { isRegularFile } from './search-path-kind.ts'
import { unchangedFolders } from './unchanged-folders.ts'

interface Place {
  /** Real path of the searched folder. */
  readonly folder: string
  /** The only file of `folder` that was searched. ripgrep follows it if it is a link. Null if all files were searched. */
  readonly file: string | null
  /** Real path of the outermost folder in which commands may have changed something. */
  readonly top: string
  /** When the search began, in ms since 1970. */
  readonly start: number
}

/**
 * Drops matches in files that ripgrep may have reached through a link, because it opens files by their names. If a folder above a file has
 * changed during the search, reads the file again and keeps only lines that it contains.
 */
export async function matchesInPlace(
  matches: readonly GrepMatch[],
  { folder, file: only, top, start }: Place,
  signal: AbortSignal | undefined,
): Promise<readonly GrepMatch[]> {
  const isUnchanged = unchangedFolders(top, start)
  const slice = createSlices()
  const kept: GrepMatch[] = []
  for (const [path, own] of Map.groupBy(matches, (match) => match.path)) {
    await slice()
    signal?.throwIfAborted()
    const file = join(folder, path)
    const isSure = isUnchanged(file) && (only === null || isRegularFile(file))
    for (const match of isSure ? own : await linesIn(file, own)) kept.push(match)
  }
  return kept
}

async function linesIn(file: string, matches: readonly GrepMatch[]): Promise<readonly GrepMatch[]> {
  const bytes = await readRegularFile(file, { real: true, noFollow: true }).catch(() => null)
  if (bytes === null) return []
  const text = textOfBytes(bytes)
  const lines = new Set(text.split(/\r*\n/u))
  return matches.filter((match) => lines.has(match.text) || text.includes(withoutNote(match.text)))
}

/** The part of a shortened line that is in the file. */
const withoutNote = (text: string): string => text.replace(/^…|…? \[line of \d+ characters\]$/gu, '')
