import type { MovedFrom } from '../effects.ts'
import type { FileChange } from '../events.ts'
import type { CallItem, SessionState } from '../state.ts'
import { naturalOrder } from '../../lib/natural-order.ts'
import { touchedFiles, withMoves } from '../touched-files.ts'

/** Derived, never stored: views of a state. */

export interface ChangedFile {
  readonly path: string
  readonly shown: string
  /** The bytes before the first and after the newest step that changed the file. */
  readonly before: FileChange['before']
  readonly after: FileChange['after']
  readonly steps: readonly number[]
  /** Its old path, where `before` was. Absent: not moved. */
  readonly movedFrom?: MovedFrom | undefined
}

/** The files this session's steps changed, by path; files that are back in their first state are left out. */
export function changedFiles(items: SessionState['items']): readonly ChangedFile[] {
  const changes = createChangedFiles()
  for (const item of items) if (item.kind === 'call') changes.add(item)
  return changes.files()
}

/** The same step by step: adding a step costs the same however many came before. */
export interface ChangedFiles {
  add(step: Pick<CallItem, 'step' | 'files'>): void
  files(): readonly ChangedFile[]
}

type Merged = Omit<ChangedFile, 'steps'> & { readonly steps: Set<number> }

export function createChangedFiles(): ChangedFiles {
  const files = new Map<string, Merged>()
  return {
    add({ step, files: changed }) {
      for (const file of changed) {
        const movedFrom = file.movedFrom && (files.get(file.movedFrom.path)?.movedFrom ?? file.movedFrom)
        files.set(file.path, merged(files.get(file.path), { ...file, ...(movedFrom && { movedFrom }) }, step))
      }
    },
    files() {
      const all = [...files.values()].map((file) => ({ ...file, steps: inOrder(file.steps) }))
      const changed = all.filter((file) => file.before !== file.after).sort((a, b) => naturalOrder(a.shown, b.shown))
      return withMoves(changed).map((file) =>
        file.movedFrom ? { ...file, steps: inOrder(new Set([...(files.get(file.movedFrom.path)?.steps ?? []), ...file.steps])) } : file,
      )
    },
  }
}

function merged(earlier: Merged | undefined, file: FileChange, step: number): Merged {
  const { path, shown, after, movedFrom } = file
  const moved = movedFrom && { movedFrom }
  if (!earlier) return { path, shown, before: file.before, after, steps: new Set([step]), ...moved }
  // A new file at the old place of a moved one is a different file.
  const { movedFrom: earlierFrom, ...known } = earlier
  const still = earlierFrom && earlier.after !== null && { movedFrom: earlierFrom }
  return { ...known, after, steps: earlier.steps.add(step), ...still, ...moved }
}

function inOrder(steps: ReadonlySet<number>): readonly number[] {
  return [...steps].toSorted((a, b) => a - b)
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
