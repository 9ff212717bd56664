import type { MovedFrom } from './effects.ts'
import type { FileChange } from './events.ts'
import type { CallItem, SessionState } from './state.ts'
import { naturalOrder } from '../lib/natural-order.ts'
import { touchedFiles } from './touched-files.ts'
import { withMoves } from './with-moves.ts'

/** Derived, never stored: what the desk shows of a state. */

export interface ChangedFile {
  readonly path: string
  readonly shown: string
  /** The bytes before the first and after the newest step that touched the file. */
  readonly before: FileChange['before']
  readonly after: FileChange['after']
  readonly steps: readonly number[]
  /** Where it lay as `before`, and does no more; absent: it was not moved. */
  readonly movedFrom?: MovedFrom | undefined
}

/** The files that this session's steps changed, by path; a file that stands again as it stood at first is left out. */
export function changedFiles(items: SessionState['items']): readonly ChangedFile[] {
  const files = new Map<string, ChangedFile>()
  for (const item of items) {
    if (item.kind !== 'call') continue
    for (const file of item.files) {
      const movedFrom = file.movedFrom && (files.get(file.movedFrom.path)?.movedFrom ?? file.movedFrom)
      files.set(file.path, merged(files.get(file.path), { ...file, ...(movedFrom && { movedFrom }) }, item.step))
    }
  }
  const changed = [...files.values()].filter((file) => file.before !== file.after).sort((a, b) => naturalOrder(a.shown, b.shown))
  return withMoves(changed).map((file) =>
    file.movedFrom ? { ...file, steps: union(files.get(file.movedFrom.path)?.steps, file.steps) } : file,
  )
}

function merged(earlier: ChangedFile | undefined, file: FileChange, step: number): ChangedFile {
  const { path, shown, after, movedFrom } = file
  const moved = movedFrom && { movedFrom }
  if (!earlier) return { path, shown, before: file.before, after, steps: [step], ...moved }
  // What comes where a moved file went from again is another file.
  const { movedFrom: earlierFrom, ...known } = earlier
  const still = earlierFrom && earlier.after !== null && { movedFrom: earlierFrom }
  return { ...known, after, steps: union(earlier.steps, [step]), ...still, ...moved }
}

function union(some: readonly number[] = [], others: readonly number[]): readonly number[] {
  return [...new Set([...some, ...others])].toSorted((a, b) => a - b)
}

/** What a session needs from its person, in words; null when it needs nothing. */
export function needOf(pending: readonly CallItem[]): string | null {
  const [first] = pending
  if (!first) return null
  if (pending.length > 1) return `${pending.length} steps to sign`
  const files = new Set(touchedFiles(first.effects).map(({ path }) => path))
  if (files.size > 0) return files.size === 1 ? 'A change to 1 file' : `A change to ${files.size} files`
  return first.effects.some((effect) => effect.kind === 'command') ? 'A command' : 'A step to sign'
}
