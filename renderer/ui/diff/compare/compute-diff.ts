import { type FileDiffMetadata, processFile } from '@pierre/diffs'
import { diffLines, type LineChange } from '../../../../shared/lib/line-diff.ts'
import { hunksOf, splitLines, unifiedHunk } from '../../../../shared/lib/unified-hunks.ts'
import { slideChanges } from './slide-changes.ts'

/** With a longer line (in characters) the file is not coloured: such a line would be laid out twice, a second each time. */
const LONGEST_COLOURED = 20_000

/** Texts of at most so many characters together are compared on the thread that draws, longer ones in a worker. */
export const AT_ONCE = 30_000
/** Limits of `diffLines`: about 20 ms, and 300 ms in a worker. */
const MAX_EDITS = { atOnce: 300, inWorker: 1_500 }

export interface DiffRequest {
  readonly path: string
  /** Null: the file does not exist on that side. */
  readonly before: string | null
  readonly after: string | null
  /** Language of the highlighter; `text` for none. */
  readonly language: string
}

export interface LinePlace {
  readonly side: 'deletions' | 'additions'
  /** Its number on that side, from 1. */
  readonly line: number
}

/** First and last changed line of a hunk, for moving from hunk to hunk. */
export interface HunkPlace {
  readonly first: LinePlace
  readonly last: LinePlace
}

export interface ComputedDiff {
  readonly fileDiff: FileDiffMetadata
  readonly added: number
  readonly removed: number
  readonly hunks: readonly HunkPlace[]
}

/** The exact difference of two texts as the diff component takes it. They must differ. */
export function computeDiff({ path, before, after, language: wanted }: DiffRequest): ComputedDiff {
  const [old, fresh] = [splitLines(before ?? ''), splitLines(after ?? '')]
  const language = [...old, ...fresh].some((line) => line.length > LONGEST_COLOURED) ? 'text' : wanted
  const isShort = (before?.length ?? 0) + (after?.length ?? 0) <= AT_ONCE
  const changes = slideChanges(diffLines(old, fresh, isShort ? MAX_EDITS.atOnce : MAX_EDITS.inWorker), old, fresh)
  const groups = hunksOf(changes)
  const patch = groups
    .map((group) =>
      unifiedHunk(group, old, fresh)
        .map((line) => `${line}\n`)
        .join(''),
    )
    .join('')
  const [oldFile, newFile] = [
    { name: 'file', contents: before ?? '' },
    { name: 'file', contents: after ?? '' },
  ]
  const fileDiff = processFile(`--- file\n+++ file\n${patch}`, { oldFile, newFile, isGitDiff: false, throwOnError: true })
  if (!fileDiff) throw new Error(`No difference in ${path}.`)
  return {
    fileDiff: {
      ...fileDiff,
      name: path,
      type: before === null ? 'new' : after === null ? 'deleted' : 'change',
      lang: language,
      cacheKey: `${language}:${fingerprint(before)}:${fingerprint(after)}`,
    },
    added: changes.reduce((sum, { afterStart, afterEnd }) => sum + afterEnd - afterStart, 0),
    removed: changes.reduce((sum, { beforeStart, beforeEnd }) => sum + beforeEnd - beforeStart, 0),
    hunks: groups.map((group) => ({ first: firstLine(group[0]), last: lastLine(group.at(-1) ?? group[0]) })),
  }
}

/** In the stacked layout removed lines are above added ones. */
function firstLine({ beforeStart, beforeEnd, afterStart }: LineChange): LinePlace {
  return beforeEnd > beforeStart ? { side: 'deletions', line: beforeStart + 1 } : { side: 'additions', line: afterStart + 1 }
}

function lastLine({ beforeEnd, afterStart, afterEnd }: LineChange): LinePlace {
  return afterEnd > afterStart ? { side: 'additions', line: afterEnd } : { side: 'deletions', line: beforeEnd }
}

/** Distinguishes the texts on screen (FNV-1a, two runs of 32 bits, and the length). Not for security. */
function fingerprint(text: string | null): string {
  if (text === null) return '-'
  let [one, two] = [0x811c9dc5, 0x01000193]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    one = Math.imul(one ^ code, 0x01000193)
    two = Math.imul(two + code, 0x85ebca6b) ^ (two >>> 15)
  }
  return `${text.length.toString(36)}.${(one >>> 0).toString(36)}.${(two >>> 0).toString(36)}`
}
