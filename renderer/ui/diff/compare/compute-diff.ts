import { type FileDiffMetadata, processFile } from '@pierre/diffs'
import { diffLines, type LineChange } from '../../../../shared/lib/lines/line-diff.ts'
import { CONTEXT, type Hunk, hunksOf, type Room, splitLines, unifiedHunk } from '../../../../shared/lib/lines/unified-hunks.ts'
import { slideChanges } from './slide-changes.ts'

/** Maximum number of characters of a line in a colored file. The browser would lay out a longer line twice, for one second each time. */
const LONGEST_COLOURED = 20_000

/** Maximum number of characters, of both texts together, that are compared on the main thread. Longer texts are compared in a worker. */
export const AT_ONCE = 30_000
/** Limits of the number of edits for `diffLines`. They correspond to about 20 ms on the main thread and 300 ms in a worker. */
const MAX_EDITS = { atOnce: 300, inWorker: 1_500 }

export interface DiffRequest {
  readonly path: string
  /** Null if the file does not exist on that side. */
  readonly before: string | null
  readonly after: string | null
  /** Language of the highlighter. `text` if there is none. */
  readonly language: string
  /** Whether lines that differ only in spaces and tabs count as unchanged. They are shown in their new version. */
  readonly ignoresSpaces?: boolean | undefined
}

export interface LinePlace {
  readonly side: 'deletions' | 'additions'
  /** Line number on that side, from 1. */
  readonly line: number
}

/** One run of changed lines, which is one decision. `first` and `last` are used to move from hunk to hunk. */
export interface HunkPlace {
  readonly first: LinePlace
  readonly last: LinePlace
  /** The lines of the hunk on both sides, without the context around them. Counted from 0, end excluded. */
  readonly before: readonly [number, number]
  readonly after: readonly [number, number]
  readonly added: number
  readonly removed: number
  /**
   * The definition that contains the hunk, such as a function, and a line number if an earlier hunk has the same name. Null if no line
   * above the hunk names one.
   */
  readonly name: string | null
  /** The hunk in the unified format, with its context. */
  readonly patch: string
  /** The proposed lines. */
  readonly text: string
  /** Identifies the removed and added lines, independently of their position in the file. */
  readonly key: string
}

export interface ComputedDiff {
  readonly fileDiff: FileDiffMetadata
  /** Whether any line is too long for colors. */
  readonly isPlain: boolean
  readonly added: number
  readonly removed: number
  readonly hunks: readonly HunkPlace[]
}

/** Computes the exact difference of two texts in the format of the diff component. The texts must differ. */
export function computeDiff({ path, before: given, after, language: wanted, ignoresSpaces = false }: DiffRequest): ComputedDiff {
  const before = ignoresSpaces && given !== null && after !== null ? withSpacesOf(given, after) : given
  const old = splitLines(before ?? '')
  const fresh = splitLines(after ?? '')
  const isPlain = old.some(isTooLong) || fresh.some(isTooLong)
  const isShort = (before?.length ?? 0) + (after?.length ?? 0) <= AT_ONCE
  const changes = slideChanges(diffLines(old, fresh, isShort ? MAX_EDITS.atOnce : MAX_EDITS.inWorker), old, fresh)
  const hunks = asDistinct(changes.map((change, index) => placeOf(change, old, fresh, roomAround(changes, index, old.length))))
  const patch = hunksOf(changes)
    .map((group) => patchOf(group, old, fresh))
    .join('')
  const oldFile = { name: 'file', contents: before ?? '' }
  const newFile = { name: 'file', contents: after ?? '' }
  const fileDiff = processFile(`--- file\n+++ file\n${patch}`, { oldFile, newFile, isGitDiff: false, throwOnError: true })
  if (!fileDiff) throw new Error(`No difference in ${path}.`)
  const named = { ...fileDiff, type: before === null ? 'new' : after === null ? 'deleted' : 'change' } as const
  return {
    fileDiff: { ...named, ...colouring(path, isPlain ? 'text' : wanted, `${fingerprint(before)}:${fingerprint(after)}`) },
    isPlain,
    added: changes.reduce((sum, { afterStart, afterEnd }) => sum + afterEnd - afterStart, 0),
    removed: changes.reduce((sum, { beforeStart, beforeEnd }) => sum + beforeEnd - beforeStart, 0),
    hunks,
  }
}

const isTooLong = (line: string): boolean => line.length > LONGEST_COLOURED

/** The properties that the highlighter uses. */
function colouring(path: string, lang: string, prints: string) {
  return { name: path, lang, cacheKey: `${lang}:${prints}` }
}

/** Converts a difference for another file name or language, without a new comparison. */
export function recoloured(diff: ComputedDiff, { path, language }: Pick<DiffRequest, 'path' | 'language'>): ComputedDiff {
  const { fileDiff, isPlain } = diff
  const prints = (fileDiff.cacheKey ?? '').replace(/^[^:]*:/u, '')
  return { ...diff, fileDiff: { ...fileDiff, ...colouring(path, isPlain ? 'text' : language, prints) } }
}

/**
 * How many unchanged lines may be shown around a change. Lines between two changes belong to the later one first, because they often name
 * its function. Each is shown once.
 */
function roomAround(changes: readonly LineChange[], index: number, length: number): Room {
  const { beforeStart = 0, beforeEnd = 0 } = changes[index] ?? {}
  const next = changes[index + 1]
  return {
    above: beforeStart - (changes[index - 1]?.beforeEnd ?? 0),
    below: next ? Math.max(0, next.beforeStart - beforeEnd - CONTEXT) : length - beforeEnd,
  }
}

const patchOf = (hunk: Hunk, old: readonly string[], fresh: readonly string[], room?: Room): string =>
  unifiedHunk(hunk, old, fresh, room)
    .map((line) => `${line}\n`)
    .join('')

function placeOf(change: LineChange, old: readonly string[], fresh: readonly string[], room: Room): HunkPlace {
  const gone = old.slice(change.beforeStart, change.beforeEnd)
  const added = fresh.slice(change.afterStart, change.afterEnd)
  return {
    first: firstLine(change),
    last: lastLine(change),
    before: [change.beforeStart, change.beforeEnd],
    after: [change.afterStart, change.afterEnd],
    added: added.length,
    removed: gone.length,
    // A new file is one hunk, which is more than its first function.
    name:
      old.length === 0
        ? null
        : added.length > 0
          ? nameOf(fresh, change.afterStart, change.afterEnd)
          : nameOf(old, change.beforeStart, change.beforeEnd),
    patch: patchOf([change], old, fresh, room),
    text: added.join(''),
    key: fingerprint([...gone.map((line) => `-${line}`), ...added.map((line) => `+${line}`)].join('')),
  }
}

/** Makes keys unique if the same change occurs twice in a file, and names if several hunks are in the same definition. */
function asDistinct(hunks: readonly HunkPlace[]): readonly HunkPlace[] {
  const times = new Map<string, number>()
  const names = new Map<string | null, number>()
  return hunks.map((hunk) => {
    const time = (times.get(hunk.key) ?? 0) + 1
    times.set(hunk.key, time)
    const before = names.get(hunk.name) ?? 0
    names.set(hunk.name, before + 1)
    const name = hunk.name !== null && before > 0 ? `${hunk.name}, line ${hunk.first.line}` : hunk.name
    return { ...hunk, name, key: time === 1 ? hunk.key : `${hunk.key}#${time}` }
  })
}

/** The old text, in which each line that differs only in spaces and tabs is replaced by its new version. Lines keep their numbers. */
function withSpacesOf(before: string, after: string): string {
  const old = [...splitLines(before)]
  const fresh = splitLines(after)
  const changes = diffLines(old.map(withoutSpaces), fresh.map(withoutSpaces), MAX_EDITS.inWorker)
  let at = 0
  let into = 0
  for (const change of [...changes, { beforeStart: old.length, beforeEnd: old.length, afterEnd: fresh.length }]) {
    while (at < change.beforeStart) old[at++] = fresh[into++] ?? ''
    at = change.beforeEnd
    into = change.afterEnd
  }
  return old.join('')
}

/** Removes spaces and tabs but keeps line feeds. */
const withoutSpaces = (text: string): string => text.replaceAll(/[^\S\n]+/gu, '')

const DECLARES =
  /^(?:export |default |declare |async |public |private |static |pub )*(?:function\*?|class|interface|type|enum|const|let|var|def|fn|func|struct|impl|module) ([\w$]+)/
/** Maximum number of lines that are searched for a declaration. */
const MAX_ABOVE = 400

/** Lines that often come before a declaration: empty lines, comments, and the closing bracket of the declaration above. */
const LEADS = /^\s*(?:$|\/\/|\/?\*|#|[})\]]+[;,]?\s*$)/u

/** The nearest declaration at the left margin, at the first line of the range that has code, or above that line. */
function nameOf(lines: readonly string[], from: number, to: number): string | null {
  let at = from
  while (at < to - 1 && LEADS.test(lines[at] ?? '')) at++
  for (let index = Math.min(at, lines.length - 1); index >= 0 && index > at - MAX_ABOVE; index--) {
    const name = DECLARES.exec(lines[index] ?? '')?.[1]
    if (name !== undefined) return name
  }
  return null
}

/** The first line of a change. In the stacked layout, removed lines are above added lines. */
function firstLine({ beforeStart, beforeEnd, afterStart }: LineChange): LinePlace {
  return beforeEnd > beforeStart ? { side: 'deletions', line: beforeStart + 1 } : { side: 'additions', line: afterStart + 1 }
}

function lastLine({ beforeEnd, afterStart, afterEnd }: LineChange): LinePlace {
  return afterEnd > afterStart ? { side: 'additions', line: afterEnd } : { side: 'deletions', line: beforeEnd }
}

/** Distinguishes the texts on screen with FNV-1a (two runs of 32 bits) and the length. Not for security. */
export function fingerprint(text: string | null): string {
  if (text === null) return '-'
  let one = 0x811c9dc5
  let two = 0x01000193
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    one = Math.imul(one ^ code, 0x01000193)
    two = Math.imul(two + code, 0x85ebca6b) ^ (two >>> 15)
  }
  return `${text.length.toString(36)}.${(one >>> 0).toString(36)}.${(two >>> 0).toString(36)}`
}
