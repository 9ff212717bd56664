import { useCallback, useMemo, useState } from 'react'
import type { SubagentEdit } from '../../../shared/api/changes/changes.ts'
import type { ReviewNotes, SeenHunk } from '../../../shared/api/changes/review.ts'
import type { BlobHash, SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import type { CallItem, Item } from '../../../shared/session/state.ts'
import { attemptRequest, report } from '../../state/commands/attempt-request.ts'
import { useDesk, useSession } from '../../state/desk-context.ts'
import { usePageKeys } from '../../state/hooks/use-desk-keys.ts'
import { changedFolders } from '../../../shared/session/fold/changed-files.ts'
import {
  folderSentences,
  leftOutOf,
  type SessionFile,
  useChangedFolders,
  useLeftOut,
  useSessionChanges,
} from '../../state/hooks/changes/use-changed-files.ts'
import { type DiskChanges, useDiskChanges } from '../../state/hooks/changes/use-disk-changes.ts'
import { useReviewNotes } from '../../state/hooks/changes/use-review-notes.ts'
import { type FileHunks, type HunkFacts, type LineCounts, useFileHunks } from '../../ui/diff/compare/use-file-hunks.ts'
import { gitFiles } from './git/git-files.ts'
import { filesOfCall, changedFilesOfEntries, filesOfSubagents, outsideEdits, turnOf } from './changed-files-of-entries.ts'
import { type GitWork, useGit } from './git/use-git.ts'
import { countStates, type HunkState, hunkStates, type SeenCount } from './seen-hunks.ts'
import {
  filesOfSession,
  filesOnDisk,
  inOrder,
  isProposed,
  type Move,
  moved,
  type Reviewed,
  type ReviewFile,
  type Versions,
} from './review-files.ts'
import { useFirstPart, usePosition } from './use-position.ts'
import { useWholeFiles, type WholeFiles } from './use-whole-files.ts'

export interface Review {
  readonly scope: Reviewed['kind']
  /** Steps that changed files, directly or through their subagents, in the order of the ledger. */
  readonly calls: readonly CallItem[]
  /** What the subagents of a step changed, keyed by step number. */
  readonly bySubagents: ReadonlyMap<number, readonly ReviewFile[]>
  /** The step that is shown. Null if something else is shown. */
  readonly call: CallItem | null
  /** The call whose step or turn is shown. For changes from outside the session, the call that found them. Null for anything else. */
  readonly at: ToolCallId | null
  /** Changes from outside the session, keyed by the step that found them. */
  readonly outside: ReadonlyMap<ToolCallId, readonly ReviewFile[]>
  /** Null while the files are loading. */
  readonly files: readonly ReviewFile[] | null
  /** Added and removed lines by path, for the files whose counts are known. */
  readonly counts: ReadonlyMap<string, LineCounts>
  /** States of the hunks of the step or session by path, for the files that were compared. */
  readonly states: ReadonlyMap<string, readonly HunkState[]>
  /** Whether counting the hunks is finished. Beyond a maximum number of files, hunks are not counted. */
  readonly isCounted: boolean
  /** Sentences that say what was left out when the folder was compared before and after a command. */
  readonly leftOut: readonly string[]
  /** Sentences about changed folders that contain no changed files. */
  readonly folders: readonly string[]
  readonly git: GitWork
  /** The session's files that differ on disk now. */
  readonly since: DiskChanges
  /** The version of each file after the session's last change to it. Null if the file did not exist after that change. */
  readonly left: ReadonlyMap<string, BlobHash | null>
  readonly file: ReviewFile | null
  /** Index of the current hunk. `hunks` is the number of hunks of the file, or 0 while it is unknown. */
  readonly hunk: number
  readonly hunks: number
  /** Marks of the hunks that the user has seen in this file. */
  readonly marks: readonly SeenHunk[]
  readonly show: (what: Reviewed) => void
  readonly showFile: (path: string) => void
  readonly whole: WholeFiles
  readonly move: (move: Move) => void
  /** Called with the number of hunks once the file is drawn. */
  readonly onHunks: (count: number) => void
  /** Whether the user is writing a comment on the shown file. */
  readonly isCommenting: boolean
  readonly onCommenting: (isCommenting: boolean) => void
  /** Marks hunks of the shown file as seen, or removes the marks. */
  readonly see: (hunks: readonly HunkFacts[], versions: Versions, seen: boolean) => void
}

const NO_MARKS: readonly SeenHunk[] = []

/** State of the review. J and K, or Alt with the up and down arrow keys, move by hunk. With Shift, J and K move by file. */
export function useReview(sessionId: SessionId): Review {
  const desk = useDesk()
  const { files: all, subagents } = useSessionChanges(sessionId)
  const notes = useReviewNotes(sessionId)
  const git = useGit(sessionId, all)
  const [chosen, setChosen] = useState<Reviewed>(() => {
    const step = desk.view.getState().asked?.step
    return step ? { kind: 'step', call: step } : { kind: 'session' }
  })
  const [drawn, setDrawn] = useState<{ readonly path: string | null; readonly hunks: number }>({ path: null, hunks: 0 })
  const [isCommenting, setCommenting] = useState(false)
  const allLeftOut = useLeftOut(sessionId)
  const allFolders = useChangedFolders(sessionId)
  const isFolder = chosen.kind === 'folder'
  const { part, turn, outside, calls, bySubagents } = usePart(sessionId, chosen, subagents)
  const call = chosen.kind === 'step' ? (calls.find(({ toolCallId }) => toolCallId === chosen.call) ?? null) : null
  const request = (call && isProposed(call) && call.approval?.approvalId) || null
  const { at, setAt } = usePosition(request)
  const partFolders = useMemo(() => folderSentences(changedFolders(turn ?? (call ? [call] : []))), [turn, call])
  const stored = useMemo(() => part ?? (all && filesOfSession(all)), [part, all])
  const since = useDiskChanges(sessionId, all)
  const left = useMemo(() => new Map((all ?? []).map(({ path: one, after }) => [one, after])), [all])
  const files = useMemo(() => (isFolder ? filesOfFolder(git.status, all, since) : stored), [isFolder, git.status, all, since, stored])
  const read = useCallback((hash: BlobHash | null) => desk.texts.get(sessionId, hash), [desk, sessionId])
  const compared = useFileHunks(stored, read)
  const known = useKnown(stored, compared.byPath, notes)
  const counts = useMemo(() => (isFolder ? withoutKeys(known.counts, since) : known.counts), [isFolder, known.counts, since])
  const order = useMemo(() => inOrder(files ?? []), [files])
  const file = fileAt(order, at.path)
  const path = file?.path ?? null
  const hunks = drawn.path === path ? drawn.hunks : 0
  const hunk = hunks === 0 ? 0 : at.hunk < 0 ? hunks - 1 : Math.min(at.hunk, hunks - 1)
  useFirstPart(request, { path, hunk }, setAt)
  const move = (how: Move): void => {
    const paths = order.map(({ path: one }) => one)
    setAt(moved({ path, hunk }, how, paths, hunks))
  }
  useMoveKeys(move)
  const whole = useWholeFiles()
  usePageKeys([{ keys: 'W', run: whole.toggle }])
  const show = (what: Reviewed): void => {
    setChosen(what)
    setAt({ path: null, hunk: 0 })
  }
  return {
    scope: isFolder || part ? chosen.kind : 'session',
    at: part && 'call' in chosen ? chosen.call : null,
    calls,
    call,
    bySubagents,
    outside,
    since,
    left,
    files,
    file,
    hunk,
    hunks,
    move,
    whole,
    ...known,
    counts,
    git: {
      ...git,
      stage(...asked) {
        setAt({ path, hunk })
        git.stage(...asked)
      },
    },
    isCounted: compared.isWhole,
    leftOut: call ? leftOutOf(call) : chosen.kind === 'session' ? allLeftOut : [],
    folders: call || turn ? partFolders : chosen.kind === 'session' ? allFolders : [],
    marks: (file && notes.seen[file.absolute]) ?? NO_MARKS,
    show,
    showFile: (wanted) => setAt({ path: wanted, hunk: 0 }),
    isCommenting,
    onCommenting: setCommenting,
    onHunks: useCallback((count: number) => setDrawn({ path, hunks: count }), [path]),
    see(wanted, versions, seen) {
      if (!file) return
      const marked = wanted.map(({ key, before }) => ({ key, ...versions, lines: before }))
      const marking = attemptRequest(desk, 'The mark was not stored', (client) =>
        client.review.see({ sessionId, path: file.absolute, hunks: marked, seen }),
      )
      void report(desk, marking)
    },
  }
}

/** Drops the counts of files that differ on disk, because the counts belong to the stored versions. */
function withoutKeys<T>(counts: ReadonlyMap<string, T>, keys: ReadonlyMap<string, unknown>): ReadonlyMap<string, T> {
  return new Map([...counts].filter(([key]) => !keys.has(key)))
}

/**
 * What differs from the last commit or, without a repository, from the files before the session. Null while it is being read. Empty if the
 * repository could not be read.
 */
function filesOfFolder(status: GitWork['status'], all: readonly SessionFile[] | null, since: DiskChanges): readonly ReviewFile[] | null {
  switch (status?.kind) {
    case 'repository':
      return gitFiles(status)
    case 'none':
      return all && filesOnDisk(all, since)
    case 'failed':
      return []
    case undefined:
      return null
  }
}

const NO_ITEMS: readonly Item[] = []

interface Part extends Pick<Review, 'outside' | 'calls' | 'bySubagents'> {
  readonly part: readonly ReviewFile[] | null
  /** Entries of the turn that is reviewed. Null if no turn is reviewed. */
  readonly turn: readonly Item[] | null
}

/**
 * Returns the files of a step, of its turn, or of the changes from outside that the step found. `part` is null if something else is
 * reviewed or the step is not loaded.
 */
function usePart(sessionId: SessionId, chosen: Reviewed, subagents: readonly SubagentEdit[]): Part {
  const items = useSession(sessionId, (session) => session.items, NO_ITEMS)
  const firstItem = useSession(sessionId, (session) => session.firstItem, 0)
  const outside = useMemo(() => outsideEdits(items, subagents), [items, subagents])
  const bySubagents = useMemo(() => filesOfSubagents(subagents), [subagents])
  const calls = useMemo(
    () => items.filter((item): item is CallItem => item.kind === 'call' && filesOfCall(item, bySubagents).length > 0),
    [items, bySubagents],
  )
  const turn = useMemo(() => (chosen.kind === 'turn' ? turnOf(items, firstItem, chosen.call) : null), [chosen, items, firstItem])
  const part = useMemo(() => {
    if (chosen.kind === 'session' || chosen.kind === 'folder') return null
    if (chosen.kind === 'outside') return outside.get(chosen.call) ?? null
    if (chosen.kind === 'turn') return turn && changedFilesOfEntries(turn, subagents)
    const call = items.find((item) => item.kind === 'call' && item.toolCallId === chosen.call)
    return call?.kind === 'call' ? filesOfCall(call, bySubagents) : null
  }, [chosen, items, turn, outside, subagents, bySubagents])
  return { part, turn, outside, calls, bySubagents }
}

/** Hunk states and line counts of the files that were compared. */
function useKnown(
  files: readonly ReviewFile[] | null,
  compared: ReadonlyMap<string, FileHunks>,
  notes: ReviewNotes,
): Pick<Review, 'states' | 'counts'> {
  const states = useMemo(() => {
    const known = (files ?? []).flatMap(({ path, absolute, before }) => {
      const found = compared.get(path)
      return found ? [[path, hunkStates(found.hunks, before, notes.seen[absolute] ?? NO_MARKS)] as const] : []
    })
    return new Map(known)
  }, [files, compared, notes])
  const counts = useMemo(() => {
    const known = (files ?? []).flatMap(({ path, lines }) => {
      const own = lines ?? compared.get(path)?.lines ?? null
      return own ? [[path, own] as const] : []
    })
    return new Map(known)
  }, [files, compared])
  return { states, counts }
}

/**
 * Finds the file with this path. If it was just staged or unstaged, finds the next file on the side it left or, if that side is empty, the
 * same file on the other side. If `path` is null, finds the first unstaged file. If there is no such file, returns the first file.
 */
function fileAt(order: readonly ReviewFile[], path: string | null): ReviewFile | null {
  const found = order.find((file) => file.path === path)
  if (found || path === null) return found ?? order.find(({ git }) => git?.side === 'unstaged') ?? order[0] ?? null
  const [, side, name = ''] = /^(staged|unstaged):(.*)$/su.exec(path) ?? []
  const beside = order.filter(({ git }) => git?.side === side)
  const next = beside.find(({ shown }) => shown > name) ?? beside.at(-1)
  return next ?? order.find(({ git }) => git?.path === name) ?? order[0] ?? null
}

/** Counts what the user has seen, over all files of the review. */
export function totalSeen(review: Pick<Review, 'states'>): SeenCount {
  return countStates([...review.states.values()].flat())
}

/** J and K, or Alt with the up and down arrow keys, move by hunk. With Shift, J and K move by file. */
export function useMoveKeys(move: (move: Move) => void): void {
  usePageKeys([
    { keys: 'J', run: () => move('next-hunk') },
    { keys: 'K', run: () => move('previous-hunk') },
    { keys: 'Alt+ArrowDown', run: () => move('next-hunk') },
    { keys: 'Alt+ArrowUp', run: () => move('previous-hunk') },
    { keys: 'Shift+J', run: () => move('next-file') },
    { keys: 'Shift+K', run: () => move('previous-file') },
  ])
}
