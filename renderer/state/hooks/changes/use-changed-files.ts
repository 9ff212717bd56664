import { useMemo, useState } from 'react'
import type { AppClient } from '../../../../shared/api/contract.ts'
import type { SessionChanges, SubagentEdit } from '../../../../shared/api/changes/changes.ts'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import type { FolderChange } from '../../../../shared/session/file-change.ts'
import type { CallItem, Item, SessionState } from '../../../../shared/session/state.ts'
import { type ChangedFile, changedFolders, createFilesOfItems } from '../../../../shared/session/fold/changed-files.ts'
import { isSubagentCall } from '../../../../shared/tools/built-in/subagents.ts'
import { useSession } from '../../desk-context.ts'
import { useAnswer } from '../../use-answer.ts'

/** A changed file with its line counts. The log contains the counts only if a single step changed the file. */
export interface SessionFile extends ChangedFile {
  readonly lines: { readonly added: number; readonly removed: number } | null
}

const NO_ITEMS: readonly Item[] = []
const NO_CALLS: readonly CallItem[] = []

/** Loaded steps that changed files. */
function useChangingCalls(sessionId: SessionId): readonly CallItem[] {
  return useSession(sessionId, changingCalls, NO_CALLS)
}

/** The files that a session and its subagents changed. Null while loading. */
export function useChangedFiles(sessionId: SessionId): readonly SessionFile[] | null {
  return useSessionChanges(sessionId).files
}

const NO_EDITS: readonly SubagentEdit[] = []

/**
 * The files that a session and its subagents changed, and each edit of a subagent. If only the last page of a long ledger is loaded, or
 * there are subagents, main is asked again after each change and after a lost connection has been restored.
 */
export function useSessionChanges(sessionId: SessionId): {
  readonly files: readonly SessionFile[] | null
  readonly subagents: readonly SubagentEdit[]
} {
  const calls = useChangingCalls(sessionId)
  const firstItem = useSession<number | null>(sessionId, (session) => session.firstItem, null)
  const changing = useSession(sessionId, changingItems, NO_ITEMS)
  const subagents = useSession(sessionId, subagentCalls, '')
  const isOwn = firstItem === 0 && subagents === ''
  const [changedFilesOfEntries] = useState(createFilesOfItems)
  const own = useMemo(() => (isOwn ? changedFilesOfEntries(changing) : null), [isOwn, changedFilesOfEntries, changing])
  const ask = (client: AppClient): Promise<SessionChanges> => client.changes.list({ sessionId })
  const { value: listed } = useAnswer(sessionId, firstItem === null || isOwn ? null : ask, [firstItem, changing, subagents])
  const files = own ?? listed?.files ?? null
  const counted = useMemo(() => files && withCounts(files, calls), [files, calls])
  return { files: counted, subagents: (isOwn ? null : listed?.subagents) ?? NO_EDITS }
}

export function withCounts(files: readonly ChangedFile[], calls: readonly CallItem[]): readonly SessionFile[] {
  const byPath = Map.groupBy(
    calls.flatMap((call) => call.files),
    ({ path }) => path,
  )
  return files.map((file) => {
    const [only, ...more] = byPath.get(file.path) ?? []
    return { ...file, lines: only && more.length === 0 && file.steps.length === 1 ? only.lines : null }
  })
}

/** Whether two records of a file are equal. The records are small and made by the same code, so equal records have equal JSON. */
export function isSameFile(a: SessionFile, b: SessionFile): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}

/** Sentences about folders that this session's loaded steps created, deleted or gave another mode without changing files in them. */
export function useChangedFolders(sessionId: SessionId): readonly string[] {
  const changing = useSession(sessionId, changingItems, NO_ITEMS)
  const [changedFilesOfEntries] = useState(createFilesOfItems)
  return useMemo(() => folderSentences(changedFolders(changing, changedFilesOfEntries)), [changing, changedFilesOfEntries])
}

/** Sentences about what happened to folders, one for each kind of change. */
export function folderSentences(folders: readonly FolderChange[]): readonly string[] {
  const sentence = (what: string, some: readonly FolderChange[]): readonly string[] =>
    some.length === 0 ? [] : [`${what}: ${some.map(({ shown }) => `${shown}/`).join(', ')}.`]
  return [
    ...sentence(
      'New folders',
      folders.filter(({ before }) => before === null),
    ),
    ...sentence(
      'Deleted folders',
      folders.filter(({ after }) => after === null),
    ),
    ...sentence(
      'Folders with another mode',
      folders.filter(({ before, after }) => before !== null && after !== null),
    ),
  ]
}

/** What was left out of the folder comparisons after this session's loaded commands. Each sentence occurs once. */
export function useLeftOut(sessionId: SessionId): readonly string[] {
  const calls = useSession(sessionId, comparedCalls, NO_CALLS)
  return useMemo(() => [...new Set(calls.flatMap(leftOutOf))], [calls])
}

export const leftOutOf = ({ madeBy }: CallItem): readonly string[] => madeBy?.compared?.leftOut ?? []

function comparedCalls({ items }: SessionState): readonly CallItem[] {
  return items.filter((item): item is CallItem => item.kind === 'call' && leftOutOf(item).length > 0)
}

function changingItems({ items }: SessionState): readonly Item[] {
  return items.filter((item) => (item.kind === 'call' || item.kind === 'rollback') && item.files.length + (item.folders ?? []).length > 0)
}

/** A string that changes whenever a call to a subagent starts or ends. Empty if there is no such call. */
const subagentCalls = ({ items }: SessionState): string =>
  items.flatMap((item) => (item.kind === 'call' && isSubagentCall(item) ? [`${item.toolCallId} ${item.status}`] : [])).join()

function changingCalls({ items }: SessionState): readonly CallItem[] {
  return items.filter((item): item is CallItem => item.kind === 'call' && item.files.length > 0)
}
