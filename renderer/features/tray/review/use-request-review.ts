import { useCallback, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { canAmend, canDecideLater } from '../../../../shared/session/amendment.ts'
import { type OwnPlace, ownPlaceOf } from '../../../../shared/session/settings/where.ts'
import type { ApprovalId, SessionId } from '../../../../shared/lib/ids.ts'
import type { Effect } from '../../../../shared/session/effects.ts'
import { type GitChange, isGitRecord } from '../../../../shared/session/git-change.ts'
import type { CallItem } from '../../../../shared/session/state.ts'
import { useDesk } from '../../../state/desk-context.ts'
import { type FileHashes, filesOf } from '../../../state/hooks/changes/use-step-texts.ts'
import { type Decided, NOTHING_DECIDED, type Piece, placeInKey } from '../../../state/stores/review-decisions.ts'
import { PROPOSED, type Sides } from '../../../tools/view/line-writers.tsx'
import type { HunkPlace } from '../../../ui/diff/compare/compute-diff.ts'
import type { StepTexts } from '../../../ui/diff/step-texts.ts'
import { arranged, type ArrangedFiles, MANY_FILES } from './many/same-changes.ts'
import { type ComparedFiles, useComparedFiles } from './many/use-compared-files.ts'
import { byHunks, reviewed, type ReviewedFile, wholePiece, withHunks, withoutOldEditing } from './reviewed-files.ts'

/** Number of files that are compared at once. Comparing all 5,000 files of a large change would take minutes. */
export const COMPARED_AT_ONCE = 1_000

/** What a command did to the repository. All changes to git's own files form a single part, which is kept or refused as a whole. */
export interface ReviewedGit {
  readonly change: GitChange
  readonly files: number
  readonly piece: Piece
}

/** The files of a long list. */
export interface ListedFiles {
  /** Number of files whose texts were compared. All of them are compared before any of them is shown. */
  readonly compared: number
  /** Null until all files are compared. */
  readonly arranged: ArrangedFiles | null
}

/** The parts of a request and the user's decisions about them. */
export interface Review {
  readonly sessionId: SessionId
  /** The two versions of a file, used to find who wrote its lines. */
  readonly sidesOf: (path: string) => Sides
  /** Who has changed the lines that are in conflict with the folder: a subagent, or a session in its layer or clone. */
  readonly from: 'subagent' | OwnPlace
  /** Null if the command did not change the repository, or changed none of git's own files. */
  readonly git: ReviewedGit | null
  /** Whether the user can decide about some of the parts later. */
  readonly canWait: boolean
  /** The files whose parts are known. */
  readonly files: readonly ReviewedFile[]
  /** Set if there are so many files that they are shown as a list. */
  readonly list: ListedFiles | null
  /** Number of files that are not shown yet. Each of them is one piece until `showMore` shows it. */
  readonly notShown: number
  readonly showMore: (files: number) => void
  readonly pieces: readonly Piece[]
  /** The parts in the order in which keys move through them. Those of one row are decided together. */
  readonly rows: readonly (readonly Piece[])[]
  readonly decided: Decided
  /** The part that keys act on. With it, they act on the other parts of its row. */
  readonly current: Piece | undefined
  /** Whether keys act on this review. If so, the keys are shown. */
  readonly hasKeys: boolean
  readonly change: (next: (decided: Decided) => Decided) => void
  /** Called when the hunks of a file are known. */
  readonly found: (path: string, hunks: readonly HunkPlace[]) => void
}

/**
 * Null if this request can only be signed as a whole, or if its texts are not loaded yet. `hasKeys` is false if several requests share a
 * tray. `comparesAll`: whether all files are compared before any of them is shown.
 */
export function useRequestReview(
  sessionId: SessionId,
  { approval, effects, copy }: CallItem,
  texts: StepTexts,
  { hasKeys = true, comparesAll = false }: { readonly hasKeys?: boolean; readonly comparesAll?: boolean } = {},
): Review | null {
  const desk = useDesk()
  const source = effects.find((effect) => effect.kind === 'command')?.broughtFrom?.sessionId
  const from = useStore(desk.list, ({ sessions }) => (source === undefined ? 'subagent' : ownPlaceOf(sessions.get(source)?.config)))
  const [stored, store] = useStoredDecisions(approval?.approvalId)
  const [hunks, setHunks] = useState<ComparedFiles>(new Map())
  const found = useCallback(
    (path: string, places: readonly HunkPlace[]) =>
      setHunks((known) => (known.get(path) === places ? known : new Map(known).set(path, places))),
    [],
  )
  const [atOnce, setAtOnce] = useState(COMPARED_AT_ONCE)
  const proposed = useMemo(() => new Map(filesOf(effects).map((file) => [file.path, file])), [effects])
  const sidesOf = useCallback((path: string) => proposedSides(proposed.get(path), path), [proposed])
  const gitChange = copy?.outcome?.git
  const git = useMemo(() => (gitChange ? reviewedGit(gitChange, effects) : null), [gitChange, effects])
  const files = useMemo(() => {
    if (texts.kind !== 'loaded' || !canAmend(effects)) return null
    return reviewed(texts.files, effects).filter(({ shown }) => git === null || !isGitRecord(shown))
  }, [texts, effects, git])
  const whole = useMemo(() => (files ? withoutOldEditing(stored, files) : stored), [files, stored])
  const at = files?.findIndex(({ path }) => isIn(path, whole.current)) ?? -1
  // The current file is always shown, because keys may have moved to a file that was not shown yet.
  const count = Math.max(atOnce, at + 1, files?.filter(({ conflicts }) => conflicts.length > 0).length ?? 0)
  const isList = files !== null && files.length >= MANY_FILES
  const first = useMemo(() => files?.slice(0, count) ?? null, [files, count])
  useComparedFiles(isList || comparesAll ? first : null, hunks, setHunks)
  const known = useMemo(() => first?.map((file) => withHunks(file, hunks.get(file.path))) ?? null, [first, hunks])
  const list = useMemo(() => (isList && !comparesAll && known ? listed(known, whole) : null), [isList, comparesAll, known, whole])
  const inParts = (list ? list.arranged?.others : known) ?? NO_FILES
  const decided = useMemo(() => byHunks(whole, inParts), [whole, inParts])
  const change = useCallback((next: (decided: Decided) => Decided) => store((known) => next(byHunks(known, inParts))), [store, inParts])
  if (files === null || known === null) return null
  const rows = [
    ...(git ? [[git.piece]] : []),
    ...(list?.arranged?.same ?? []).flatMap(({ folders }) => folders.map((folder) => folder.files.flatMap(({ pieces }) => pieces))),
    ...(list?.arranged?.others ?? known).flatMap(({ pieces }) => pieces.map((piece) => [piece])),
    ...files.slice(count).map(({ path }) => [wholePiece(path)]),
  ]
  const pieces = rows.flat()
  const current = currentOf(pieces, decided, at !== -1 || decided.current === git?.piece.key)
  return {
    git,
    files: known,
    list,
    notShown: Math.max(0, files.length - count),
    showMore: (more) => setAtOnce(count + more),
    pieces,
    rows,
    current,
    sessionId,
    decided: decided.current === null ? decided : { ...decided, current: current?.key ?? decided.current },
    hasKeys,
    change,
    found,
    sidesOf,
    from,
    canWait: canDecideLater(effects),
  }
}

/** Whether the user has marked parts of this request as *Later*. */
export const useHasLater = ({ approval }: CallItem): boolean => useStoredDecisions(approval?.approvalId)[0].later.size > 0

/** The stored decisions about a request, and a function that changes them. */
function useStoredDecisions(id: ApprovalId | undefined): readonly [Decided, Review['change']] {
  const { store } = useDesk().decisions
  const stored = useStore(store, (all) => (id && all.get(id)) ?? NOTHING_DECIDED)
  const change = useCallback(
    (next: (decided: Decided) => Decided) => {
      if (id) store.setState((all) => new Map(all).set(id, next(all.get(id) ?? NOTHING_DECIDED)), true)
    },
    [store, id],
  )
  return [stored, change]
}

const NO_FILES: readonly ReviewedFile[] = []

function listed(files: readonly ReviewedFile[], decided: Decided): ListedFiles {
  const compared = files.filter(({ texts, hunks }) => texts === null || hunks !== null).length
  return { compared, arranged: compared === files.length ? arranged(files, decided) : null }
}

function proposedSides(file: FileHashes | undefined, path: string): Sides {
  const before = { path: file?.movedFrom?.path ?? path, hash: file?.before ?? null }
  return { before, after: PROPOSED }
}

/** Null if the change touches none of git's own files. */
function reviewedGit(change: GitChange, effects: readonly Effect[]): ReviewedGit | null {
  const touched = new Set(effects.flatMap((effect) => ('path' in effect && isGitRecord(effect.shown) ? [effect.path] : [])))
  const [path, ...others] = touched
  return path === undefined ? null : { change, files: touched.size, piece: { kind: 'whole', key: path, path, others } }
}

const isIn = (path: string, key: string | null): boolean => key !== null && (key === path || key.startsWith(`${path}\n`))

/** The piece at the place of a key without a version, which the full review stores. */
function pieceAtPlace(pieces: readonly Piece[], current: string | null): Piece | undefined {
  if (current === null) return undefined
  const place = placeInKey(current)
  return pieces.find((piece) => {
    const own = placeInKey(piece.key)
    return piece.kind === 'hunk' && own.path === place.path && own.hunk === place.hunk
  })
}

/** The piece that keys act on. Undefined while the hunks of the current file are unknown, so that a key does not act on another piece. */
function currentOf(pieces: readonly Piece[], { current }: Decided, isKnown: boolean): Piece | undefined {
  return (
    pieces.find(({ key }) => key === current) ??
    pieceAtPlace(pieces, current) ??
    (isKnown ? pieces.find(({ path }) => isIn(path, current)) : pieces[0])
  )
}
