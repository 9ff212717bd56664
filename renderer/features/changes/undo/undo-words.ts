import type { ConflictChoice, ConflictRegion } from '../../../../shared/lib/lines/line-conflict.ts'
import { foldersWithoutFiles } from '../../../../shared/session/file-change.ts'
import { isGitRecord, withoutGitRecords } from '../../../../shared/session/git-change.ts'
import type { UndoTarget } from '../../../../shared/session/rollback.ts'
import type { UndoPreview } from '../../../../shared/session/undo-preview.ts'
import { counted, fileCounts } from '../../../ui/format.ts'

/** The name of the undo on its button. */
export function titleOf(target: UndoTarget): string {
  if (target.kind === 'step') return `Undo step ${target.step}`
  if (target.kind === 'rollback') return 'Redo what was undone'
  return target.step === 0 ? 'Go back to before step 1' : `Go back to step ${target.step}`
}

/** The name of the undo in the heading above its files. */
export function subjectOf(target: UndoTarget): string {
  if (target.kind !== 'to') return titleOf(target)
  return target.step === 0 ? 'The whole session' : `Since step ${target.step}`
}

/** Returns the changes that the undo reverts: "3 files created, 2 modified". */
export function whatHappens({ files, skipped, conflicts }: UndoPreview): string {
  const all = withoutGitRecords([...files, ...conflicts].map(({ change }) => change)).others
  const created = all.filter(({ after }) => after === null).length
  const deleted = all.filter(({ before }) => before === null).length
  return fileCounts({ created, modified: all.length - created - deleted, deleted, skipped: skipped.length })
}

/**
 * Words for headings: `at` names the moment to which the undo restores the files, and `after` the time since that moment. Null unless the
 * undo goes back to a step.
 */
export function sinceWords(target: UndoTarget): { readonly at: string; readonly after: string } | null {
  if (target.kind !== 'to') return null
  if (target.step === 0) return { at: 'before step 1', after: 'since step 1' }
  return { at: `after step ${target.step}`, after: `after step ${target.step}` }
}

/** "step 4", "steps 4, 5 and 9". */
export function stepsWords(steps: readonly number[]): string {
  if (steps.length === 1) return `step ${steps[0]}`
  return `steps ${steps.slice(0, -1).join(', ')} and ${steps.at(-1)}`
}

/** What the undo would do, as short lines. `anyway` is the number of skipped files that the user chose to restore. */
export function summaryOf({ files: all, folders, skipped, conflicts, uncovered }: UndoPreview, anyway: number): readonly string[] {
  const files = all.filter(({ change }) => !isGitRecord(change.shown))
  const emptied = foldersWithoutFiles(folders, skipped)
  const deleted = files.filter(({ change }) => change.after === null).length
  const merged = files.filter((file) => file.merged).length
  const restored = files.length - deleted - merged + anyway
  const left = skipped.length - anyway
  return [
    ...(restored > 0 ? [`${counted(restored, 'file')} restored`] : []),
    ...(merged > 0 ? [`${counted(merged, 'file')} ${merged === 1 ? 'merges' : 'merge'} cleanly, later work is kept`] : []),
    ...(deleted > 0 ? [`${counted(deleted, 'file')} deleted`] : []),
    ...(files.length < all.length ? ['The repository goes back too'] : []),
    ...(all.length === 0 && emptied.length > 0 ? [`${counted(emptied.length, 'folder')} restored or deleted`] : []),
    ...(conflicts.length > 0 ? [`${counted(conflicts.length, 'file')} with a conflict`] : []),
    ...(left > 0 ? [`${counted(left, 'file')} skipped`] : []),
    ...(uncovered.length > 0 ? ['Some changes are not covered'] : []),
  ]
}

/** Returns the index of the next undecided region, wrapping around after the last region. Null if all other regions are decided. */
export function nextUndecided(choices: readonly (ConflictChoice | null)[], current: number): number | null {
  const open = choices.flatMap((choice, at) => (choice === null && at !== current ? [at] : []))
  return open.find((at) => at > current) ?? open[0] ?? null
}

/** Returns what a choice changes in the current lines of a conflict, as a hunk in the unified format. Null if it changes nothing. */
export function resultPatch({ now, before }: Pick<ConflictRegion, 'now' | 'before'>, choice: ConflictChoice): string | null {
  if (choice === 'now') return null
  const fresh = choice === 'before' ? before.lines : choice.text.split('\n')
  const old = now.lines
  const fewest = Math.min(old.length, fresh.length)
  let head = 0
  while (head < fewest && old[head] === fresh[head]) head++
  let tail = 0
  while (tail < fewest - head && old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]) tail++
  if (head + tail === old.length && old.length === fresh.length) return null
  const lines = [
    ...old.slice(0, head).map((line) => ` ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...fresh.slice(head, fresh.length - tail).map((line) => `+${line}`),
    ...old.slice(old.length - tail).map((line) => ` ${line}`),
  ]
  return [`@@ -${now.line},${old.length} +${now.line},${fresh.length} @@`, ...lines, ''].join('\n')
}
