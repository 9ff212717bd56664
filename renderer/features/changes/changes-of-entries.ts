import type { ToolCallId } from '../../../shared/lib/ids.ts'
import { changedFiles, modesOf } from '../../../shared/session/fold/changed-files.ts'
import type { FileChange } from '../../../shared/session/file-change.ts'
import type { CallItem, Item } from '../../../shared/session/state.ts'
import { withCounts } from '../../state/hooks/changes/use-changed-files.ts'
import { filesOfSession, type ReviewFile } from './review-files.ts'

/** The entries of the turn that holds this call: from the person's message to the next one. Null: its beginning is not loaded. */
export function turnOf(items: readonly Item[], firstItem: number, call: ToolCallId): readonly Item[] | null {
  const at = items.findIndex((item) => item.kind === 'call' && item.toolCallId === call)
  const from = items.slice(0, at + 1).findLastIndex(({ kind }) => kind === 'user')
  if (at < 0 || (from < 0 && firstItem > 0)) return null
  const to = items.findIndex(({ kind }, index) => index > at && kind === 'user')
  return items.slice(Math.max(0, from), to < 0 ? items.length : to)
}

/** What these entries changed, from before the first to after the last. */
export function filesOfItems(items: readonly Item[]): readonly ReviewFile[] {
  const calls = items.filter((item): item is CallItem => item.kind === 'call' && item.files.length > 0)
  return filesOfSession(withCounts(changedFiles(items), calls))
}

/**
 * The changes that no step of the session made, by the call that found them: a file was different before the call than after the step that
 * changed it last.
 */
export function outsideEdits(items: readonly Item[]): ReadonlyMap<ToolCallId, readonly ReviewFile[]> {
  const newest = new Map<string, FileChange>()
  const edits = new Map<ToolCallId, readonly ReviewFile[]>()
  for (const item of items) {
    if (item.kind !== 'call' && item.kind !== 'rollback') continue
    const found = item.files.flatMap((file) => {
      const earlier = newest.get(file.path)
      return earlier && earlier.after !== file.before ? [outsideEdit(earlier, file)] : []
    })
    if (item.kind === 'call' && found.length > 0) edits.set(item.toolCallId, found)
    for (const file of item.files) newest.set(file.path, file)
  }
  return edits
}

function outsideEdit({ after, afterMode }: FileChange, { path, shown, before, beforeMode }: FileChange): ReviewFile {
  const modes = modesOf({ beforeMode: afterMode, afterMode: beforeMode })
  return { path, absolute: path, shown, before: after, after: before, steps: [], lines: null, madeBy: [], ...modes }
}
