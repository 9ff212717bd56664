import { z } from 'zod'
import { ConflictChoice } from '../../../shared/lib/lines/line-conflict.ts'
import { splitLines } from '../../../shared/lib/lines/unified-hunks.ts'
import type { Amendment } from '../../../shared/session/amendment.ts'
import type { BrowserStorage } from './browser-storage.ts'
import { createRequestDrafts, type RequestDrafts } from './drafts/request-drafts.ts'

/** The smallest part of a request that the user can keep or refuse: one hunk, or a change without hunks, such as a deletion. */
export type Piece = HunkPiece | WholePiece

export interface HunkPiece {
  readonly kind: 'hunk'
  readonly key: string
  readonly path: string
  readonly before: readonly [number, number]
  readonly after: readonly [number, number]
  /** The proposed lines. */
  readonly text: string
}

interface WholePiece {
  readonly kind: 'whole'
  readonly key: string
  readonly path: string
  /** Paths that are kept or refused together with this one. If absent, there are none. */
  readonly others?: readonly string[]
}

/** The user's decisions about the parts of one request. Parts that are not listed are kept. */
export interface Decided {
  /** The parts that are not signed. */
  readonly refused: ReadonlySet<string>
  /** Those of them about which the user decides later. */
  readonly later: ReadonlySet<string>
  /** The user's text in place of the proposed lines. */
  readonly edits: ReadonlyMap<string, string>
  /** The choice for each conflict of a file, by path. Null if nothing was chosen yet. */
  readonly choices: ReadonlyMap<string, readonly (ConflictChoice | null)[]>
  /** Text that was typed but not applied yet. */
  readonly drafts: ReadonlyMap<string, string>
  /** Key of the hunk whose text is being edited. */
  readonly editing: string | null
  /** Parts whose lines the user folded or unfolded. */
  readonly unfolded: ReadonlyMap<string, boolean>
  /** The part that keys act on. Null for the first part. */
  readonly current: string | null
}

/**
 * The key of a hunk. `version` identifies both contents of its file, so that a decision never applies to a hunk of another change. A key
 * without it means the hunk at this place, whatever the change is.
 */
export function hunkKey(path: string, hunk: number, version = ''): string {
  return version === '' ? `${path}\n${hunk}` : `${path}\n${hunk}\n${version}`
}

/** The file and hunk that a key stands for. The key of a whole file stands for its first hunk. */
export function placeInKey(key: string): { readonly path: string; readonly hunk: number } {
  const [, path = key, hunk = '0'] = /^(.*?)\n(\d+)(?:\n[^\n]*)?$/su.exec(key) ?? []
  return { path, hunk: Number(hunk) }
}

export const NOTHING_DECIDED: Decided = {
  refused: new Set(),
  later: new Set(),
  edits: new Map(),
  choices: new Map(),
  drafts: new Map(),
  editing: null,
  unfolded: new Map(),
  current: null,
}

const Decided: z.ZodType<Decided> = z.object({
  refused: z.set(z.string()),
  later: z.set(z.string()).default(() => new Set<string>()),
  edits: z.map(z.string(), z.string()),
  choices: z.map(z.string(), z.array(ConflictChoice.nullable())),
  drafts: z.map(z.string(), z.string()),
  editing: z.string().nullable(),
  unfolded: z.map(z.string(), z.boolean()),
  current: z.string().nullable(),
})

/** Decisions are kept while another request is shown, and survive a reload. */
export function createDecisions(storage: BrowserStorage | null): RequestDrafts<Decided> {
  return createRequestDrafts(storage, 'decisions', Decided)
}

export function kept(decided: Decided, keys: readonly string[]): Decided {
  const refused = new Set(decided.refused)
  for (const key of keys) refused.delete(key)
  return { ...decided, refused, later: withoutKeys(decided.later, keys) }
}

export function refused(decided: Decided, keys: readonly string[]): Decided {
  const { editing } = decided
  return {
    ...decided,
    refused: new Set([...decided.refused, ...keys]),
    later: withoutKeys(decided.later, keys),
    editing: editing !== null && keys.includes(editing) ? null : editing,
  }
}

/** Leaves the decision about these parts to a later request. */
export function postponed(decided: Decided, keys: readonly string[]): Decided {
  return { ...refused(decided, keys), later: new Set([...decided.later, ...keys]) }
}

const withoutKeys = (all: ReadonlySet<string>, keys: readonly string[]): ReadonlySet<string> => all.difference(new Set(keys))

/** What happens to a part when the request is signed. */
export type PartChoice = 'kept' | 'refused' | 'later'

export const choiceOf = ({ refused: no, later }: Pick<Decided, 'refused' | 'later'>, key: string): PartChoice =>
  later.has(key) ? 'later' : no.has(key) ? 'refused' : 'kept'

/**
 * Sets the user's version of a hunk. `typed` is the text of a text field, so its lines end in LF only: they get the CR LF of the proposed
 * lines, and the last line gets a line feed unless the file ends without one. If the result equals the proposed text, the user's version is
 * removed instead.
 */
export function withVersion(decided: Decided, { key, text: proposed }: HunkPiece, typed: string): Decided {
  const text = asLinesLike(proposed, typed)
  const edits = new Map(decided.edits)
  if (text === proposed) edits.delete(key)
  else edits.set(key, text)
  return { ...kept(decided, [key]), edits, drafts: without(decided.drafts, key), editing: null }
}

function asLinesLike(proposed: string, typed: string): string {
  // Without a line feed, the last line would be joined with the next line of the file, which the diff does not show.
  const needsEnd = typed !== '' && !typed.endsWith('\n') && (proposed === '' || proposed.endsWith('\n'))
  const text = needsEnd ? `${typed}\n` : typed
  const isCrLf = proposed.includes('\r\n') && !/(?<!\r)\n/u.test(proposed)
  return isCrLf ? text.replaceAll(/\r?\n/gu, '\r\n') : text
}

/** Drops the user's version of a hunk, so that the proposed text is signed. */
export function discarded(decided: Decided, key: string): Decided {
  return { ...decided, edits: without(decided.edits, key), drafts: without(decided.drafts, key), editing: null }
}

function without(texts: ReadonlyMap<string, string>, key: string): ReadonlyMap<string, string> {
  const left = new Map(texts)
  left.delete(key)
  return left
}

/** Sets the side that was chosen for one of a file's conflicts. */
export function withChoice(decided: Decided, { path, of }: { path: string; of: number }, index: number, choice: ConflictChoice): Decided {
  const known = decided.choices.get(path) ?? Array.from({ length: of }, () => null)
  return { ...decided, choices: new Map(decided.choices).set(path, known.with(index, choice)) }
}

/**
 * For each hunk of one file, in the order of the file: by how many lines the decisions about the earlier hunks move it in the resulting
 * file.
 */
export function shiftsOf(hunks: readonly HunkPiece[], { refused: no, edits }: Decided): readonly number[] {
  let shift = 0
  return hunks.map(({ key, before, after }) => {
    const own = shift
    const text = edits.get(key)
    if (no.has(key)) shift += before[1] - before[0] - (after[1] - after[0])
    else if (text !== undefined) shift += splitLines(text).length - (after[1] - after[0])
    return own
  })
}

export function signedCount(pieces: readonly Piece[], { refused: no }: Decided): number {
  return pieces.filter(({ key }) => !no.has(key)).length
}

export function laterCount(pieces: readonly Piece[], { later }: Decided): number {
  return pieces.filter(({ key }) => later.has(key)).length
}

/**
 * Returns the amendments that are sent with the signature: the files in which the user refused or edited something, or chose a side of a
 * conflict.
 */
export function amendmentsOf(pieces: readonly Piece[], decided: Decided): readonly Amendment[] {
  return [...Map.groupBy(pieces, ({ path }) => path)].flatMap(([path, own]) => amendmentsOfFile(path, own, decided))
}

function amendmentsOfFile(path: string, own: readonly Piece[], { refused: no, later, edits, choices }: Decided): readonly Amendment[] {
  const left = own.find((piece) => piece.kind === 'whole' && no.has(piece.key))
  if (left?.kind === 'whole')
    return [path, ...(left.others ?? [])].map((one) => ({ kind: 'leave', path: one, ...(later.has(left.key) && { later: true }) }))
  const chosen = choices.get(path)?.filter((choice) => choice !== null)
  if (chosen) return [{ kind: 'conflicts', path, choices: chosen }]
  if (!own.some(({ key }) => no.has(key) || edits.has(key))) return []
  const hunks = own.flatMap((piece) => (piece.kind === 'hunk' ? [piece] : []))
  return [{ kind: 'hunks', path, hunks: hunks.map((hunk) => ({ ...rangesOf(hunk), decision: decisionOf(hunk.key) })) }]

  function decisionOf(key: string) {
    if (no.has(key)) return { kind: later.has(key) ? 'later' : 'reject' } as const
    const text = edits.get(key)
    return text === undefined ? ({ kind: 'accept' } as const) : ({ kind: 'edit', text } as const)
  }
}

const rangesOf = ({ before, after }: HunkPiece) => ({
  before: [before[0], before[1]] as const,
  after: [after[0], after[1]] as const,
})
