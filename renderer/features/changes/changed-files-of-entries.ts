import type { SubagentEdit } from '../../../shared/api/changes/changes.ts'
import type { ToolCallId } from '../../../shared/lib/ids.ts'
import { createChangedFiles, modesOf } from '../../../shared/session/fold/changed-files.ts'
import type { FileChange } from '../../../shared/session/file-change.ts'
import type { CallItem, Item } from '../../../shared/session/state.ts'
import { isSubagentCall } from '../../../shared/tools/built-in/subagents.ts'
import { withCounts } from '../../state/hooks/changes/use-changed-files.ts'
import { filesOfSession, filesOfStep, isProposed, type ReviewFile } from './review-files.ts'

/**
 * Returns the entries of the turn that contains this call, from the user's message to the next one. Null if the beginning of the turn is
 * not loaded.
 */
export function turnOf(items: readonly Item[], firstItem: number, call: ToolCallId): readonly Item[] | null {
  const at = items.findIndex((item) => item.kind === 'call' && item.toolCallId === call)
  const from = items.slice(0, at + 1).findLastIndex(({ kind }) => kind === 'user')
  if (at < 0 || (from < 0 && firstItem > 0)) return null
  const to = items.findIndex(({ kind }, index) => index > at && kind === 'user')
  return items.slice(Math.max(0, from), to < 0 ? items.length : to)
}

/** The files that these entries and their subagents changed, from first version to last. */
export function changedFilesOfEntries(items: readonly Item[], subagents: readonly SubagentEdit[] = []): readonly ReviewFile[] {
  const calls = items.filter((item): item is CallItem => item.kind === 'call')
  const steps = new Set(calls.map(({ step }) => step))
  const ids = new Set(items.map(idOf))
  const edits = subagents.flatMap((edit) =>
    steps.has(edit.step) ? [{ ...edit, before: edit.before !== null && ids.has(edit.before) ? edit.before : null }] : [],
  )
  const changed = createChangedFiles()
  for (const change of inOrderMade(items, edits)) changed.add(change)
  return filesOfSession(withCounts(changed.files(), calls))
}

/** The files that the subagents of each step changed, keyed by the step that started them. */
export function filesOfSubagents(subagents: readonly SubagentEdit[]): ReadonlyMap<number, readonly ReviewFile[]> {
  const files = [...Map.groupBy(subagents, ({ step }) => step)].map(([step, edits]) => {
    const changed = createChangedFiles()
    for (const edit of edits) changed.add(edit)
    return [step, filesOfSession(withCounts(changed.files(), []))] as const
  })
  return new Map(files)
}

/** Returns the files that a step changed or would change itself, or that the subagents started by the step changed. */
export function filesOfCall(call: CallItem, bySubagents: ReadonlyMap<number, readonly ReviewFile[]>): readonly ReviewFile[] {
  return call.files.length === 0 && isSubagentCall(call) && !isProposed(call) ? (bySubagents.get(call.step) ?? []) : filesOfStep(call)
}

interface Made extends Pick<CallItem, 'step' | 'files' | 'madeBy'> {
  /** The entry that made the changes. Null if a subagent made them. */
  readonly item: Item | null
  readonly agentType: string | null
}

/** The changes made by these entries and by subagents, in the order in which they were made. */
function inOrderMade(items: readonly Item[], subagents: readonly SubagentEdit[]): readonly Made[] {
  const edits = Map.groupBy(subagents, ({ before }) => before)
  const madeBefore = (id: string | null): readonly Made[] => (edits.get(id) ?? []).map((edit) => ({ ...edit, item: null }))
  let step = 0
  const made = items.flatMap((item): readonly Made[] => {
    if (item.kind !== 'call' && item.kind !== 'rollback') return []
    if (item.kind === 'call') step = item.step
    const { files } = item
    const madeBy = item.kind === 'call' && item.madeBy ? { madeBy: item.madeBy } : {}
    return [...madeBefore(idOf(item)), { item, step, files, ...madeBy, agentType: null }]
  })
  return [...made, ...madeBefore(null)]
}

const idOf = (item: Item): string | null => (item.kind === 'call' ? item.toolCallId : item.kind === 'rollback' ? item.rollbackId : null)

/**
 * Returns the changes that came from outside the session and its subagents. Such a change is noticed when a step finds a file different
 * from its last known version. The key is that step's call. For a step of a subagent, the key is the call that started the subagent.
 */
export function outsideEdits(
  items: readonly Item[],
  subagents: readonly SubagentEdit[] = [],
): ReadonlyMap<ToolCallId, readonly ReviewFile[]> {
  const newest = new Map<string, FileChange>()
  const edits = new Map<ToolCallId, readonly ReviewFile[]>()
  const starting = new Map(items.flatMap((item) => (item.kind === 'call' ? [[item.step, item.toolCallId] as const] : [])))
  for (const { item, step, files } of inOrderMade(items, subagents)) {
    const found = files.flatMap((file) => {
      const earlier = newest.get(file.path)
      return earlier && earlier.after !== file.before ? [outsideEdit(earlier, file)] : []
    })
    const call = item === null ? starting.get(step) : item.kind === 'call' ? item.toolCallId : undefined
    if (call !== undefined && found.length > 0) edits.set(call, joined(edits.get(call) ?? [], found))
    for (const file of files) newest.set(file.path, file)
  }
  return edits
}

/** Joins two lists of files. A file that is in both gets one entry. */
function joined(earlier: readonly ReviewFile[], later: readonly ReviewFile[]): readonly ReviewFile[] {
  const files = new Map(earlier.map((file) => [file.path, file]))
  for (const file of later) files.set(file.path, { ...file, before: (files.get(file.path) ?? file).before })
  return [...files.values()]
}

function outsideEdit({ after, afterMode }: FileChange, { path, shown, before, beforeMode }: FileChange): ReviewFile {
  const modes = modesOf({ beforeMode: afterMode, afterMode: beforeMode })
  return { path, absolute: path, shown, before: after, after: before, steps: [], lines: null, madeBy: [], ...modes }
}
