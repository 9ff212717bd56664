import type { FileChange } from './events.ts'
import type { CallItem, SessionState } from './state.ts'

/** Derived, never stored: what the desk shows of a state. */

export interface ChangedFile {
  readonly path: string
  readonly shown: string
  /** The bytes before the first and after the newest step that touched the file. */
  readonly before: FileChange['before']
  readonly after: FileChange['after']
  readonly steps: readonly number[]
}

/** The files that this session's steps changed, by path; a file that stands again as it stood at first is left out. */
export function changedFiles(items: SessionState['items']): readonly ChangedFile[] {
  const files = new Map<string, ChangedFile>()
  for (const item of items) {
    if (item.kind !== 'call') continue
    for (const file of item.files) files.set(file.path, merged(files.get(file.path), file, item.step))
  }
  return [...files.values()].filter((file) => file.before !== file.after).sort((a, b) => (a.shown < b.shown ? -1 : 1))
}

function merged(earlier: ChangedFile | undefined, file: FileChange, step: number): ChangedFile {
  const { path, shown, after } = file
  if (!earlier) return { path, shown, before: file.before, after, steps: [step] }
  return { ...earlier, after, steps: [...new Set([...earlier.steps, step])] }
}

/** What a session needs from its person, in words; null when it needs nothing. */
export function needOf(pending: readonly CallItem[]): string | null {
  const [first] = pending
  if (!first) return null
  if (pending.length > 1) return `${pending.length} steps to sign`
  const files = new Set(first.effects.flatMap((effect) => (effect.kind === 'write' || effect.kind === 'delete' ? [effect.path] : [])))
  if (files.size > 0) return files.size === 1 ? 'An edit of 1 file' : `An edit of ${files.size} files`
  return first.effects.some((effect) => effect.kind === 'command') ? 'A command' : 'A step to sign'
}
