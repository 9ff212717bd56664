import type { UndoTarget } from '../../../../shared/session/rollback.ts'
import type { UndoPreview } from '../../../../shared/session/undo-preview.ts'
import { counted } from '../../../ui/format.ts'

/** The undo as a button names it. */
export function titleOf(target: UndoTarget): string {
  if (target.kind === 'step') return `Undo step ${target.step}`
  if (target.kind === 'rollback') return 'Take back the undo'
  return target.step === 0 ? 'Go back to before step 1' : `Go back to step ${target.step}`
}

/** What the undo would do, as short lines. `anyway`: number of skipped files that are restored all the same. */
export function summaryOf({ files, folders, skipped, conflicts, uncovered }: UndoPreview, anyway: number): readonly string[] {
  const deleted = files.filter(({ change }) => change.after === null).length
  const merged = files.filter((file) => file.merged).length
  const restored = files.length - deleted - merged + anyway
  const left = skipped.length - anyway
  return [
    ...(restored > 0 ? [`${counted(restored, 'file')} restored`] : []),
    ...(merged > 0 ? [`${counted(merged, 'file')} ${merged === 1 ? 'merges' : 'merge'} clean, later work stays`] : []),
    ...(deleted > 0 ? [`${counted(deleted, 'file')} deleted`] : []),
    ...(files.length === 0 && folders.length > 0 ? [`${counted(folders.length, 'folder')} restored or deleted`] : []),
    ...(conflicts.length > 0 ? [`${counted(conflicts.length, 'file')} with a conflict`] : []),
    ...(left > 0 ? [`${counted(left, 'file')} skipped`] : []),
    ...(uncovered.length > 0 ? ['Some changes are not covered'] : []),
  ]
}
