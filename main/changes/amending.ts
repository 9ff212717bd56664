import { isInside } from '../is-inside.ts'
import type { BlobHash } from '../../shared/lib/ids.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import { type Amended, type AmendedFile, type Amendment, canAmend, canDecideLater } from '../../shared/session/amendment.ts'
import type { ConflictChoice } from '../../shared/lib/lines/line-conflict.ts'
import type { Effect, WriteEffect } from '../../shared/session/effects.ts'
import type { Amending } from '../agent/ports/amending.ts'
import type { BlobStore } from '../agent/ports/blob-store.ts'
import { effectHash } from '../approval/effect-hash.ts'
import { commitFiles } from '../tools/files/commit-files.ts'
import { writeDetails } from '../tools/files/file-write.ts'
import { amendLines } from './amend-lines.ts'
import { countChangedLines } from './count-changed-lines.ts'
import { decidedBytes } from './rebase-layer-changes.ts'
import { unifiedDiff } from './unified-diff.ts'

type Blobs = Pick<BlobStore, 'get' | 'put'>
const NOTHING_SIGNED = 'Nothing is left to sign. Refuse the request instead.'
const NOTHING_DECIDED = 'Nothing is decided. Sign or refuse a part of it, or answer later.'

type Hunks = Extract<Amendment, { readonly kind: 'hunks' }>['hunks']

export function createAmending(blobs: Blobs): Amending {
  return {
    amend: (effects, amendments) => amend(effects, amendments, blobs),
    words: (proposed, amended) => wordsOf(proposed, amended, blobs),
    async commit(effects, run) {
      const files = effects.filter((effect) => effect.kind === 'write' || effect.kind === 'delete')
      // The agent has not seen the current content of these files, so it must read a file before it replaces all of it.
      const failure = await commitFiles({ effects: files, seen: () => ({ ranges: [], total: 0 }) }, run)
      return failure ?? { output: '', isError: false, details: writeDetails(files) }
    },
  }
}

function amend(effects: readonly Effect[], amendments: readonly Amendment[], blobs: Blobs): Result<Amended, string> {
  if (!canAmend(effects)) return failed('This request can only be signed unchanged.')
  const files: AmendedFile[] = []
  let rest = effects
  for (const amendment of amendments) {
    const named = rest.find((effect) => 'path' in effect && effect.path === amendment.path && effect.kind !== 'read')
    if (!named || !('shown' in named)) return failed(`The request does not change ${amendment.path}.`)
    const { path, shown } = named
    if (isLater(amendment) && !canDecideLater(effects)) return failed('This request cannot be decided later, only now.')
    if (amendment.kind === 'leave') {
      const later = amendment.later ? { later: { hunks: 0, before: null, after: null } } : {}
      files.push({ path, shown, left: true, hunks: 0, rejected: 0, edited: 0, ...later })
      rest = without(rest, path)
      continue
    }
    const write = rest.find((effect): effect is WriteEffect => effect.kind === 'write' && effect.path === path)
    if (write && amendment.kind === 'conflicts') {
      const decided = withChoices(write, amendment.choices, blobs)
      if (!decided) return failed(`The choices do not match the conflicts in ${shown}.`)
      files.push({ path, shown, left: false, hunks: amendment.choices.length, rejected: 0, edited: amendment.choices.length })
      rest = rest.map((effect) => (effect === write ? decided : effect))
      continue
    }
    if (!write || amendment.kind === 'conflicts')
      return failed(`${shown} has no hunks, so the complete file can only be signed or left out.`)
    const changed = withHunks(write, rest, amendment.hunks, blobs)
    if (!changed.ok) return failed(`${shown} ${changed.failure}`)
    const later = laterPart({ write, signed: changed.value }, rest, amendment.hunks, blobs)
    files.push({ path, shown, left: changed.value === null, ...countsOf(amendment.hunks), ...(later && { later }) })
    // If the content is rejected, the new permissions that were shown with it are rejected too.
    rest =
      changed.value === null
        ? without(rest, path, write.movedFrom ? 'write' : undefined)
        : rest.map((effect) => (effect === write ? (changed.value ?? effect) : effect))
  }
  const refuses = files.some(({ rejected, left, later }) => rejected > 0 || (left && later === undefined))
  const waits = files.some(({ later }) => later !== undefined)
  if (!(refuses && waits) && rest.every(({ kind }) => kind === 'command')) return failed(waits ? NOTHING_DECIDED : NOTHING_SIGNED)
  const inWay = stillInTheWay(effects, rest)
  if (inWay) return failed(`${inWay.made} can only be created if ${inWay.there} is deleted. Leave out both, or neither.`)
  return ok({ effects: rest, hash: effectHash(rest), files })
}

/** Null if the choices do not match the conflicts. */
function withChoices(write: WriteEffect, choices: readonly ConflictChoice[], blobs: Blobs): WriteEffect | null {
  const { conflict: sides, before, ...effect } = write
  const bytes = sides && before && decidedBytes(sides, before, choices, blobs)
  if (!bytes) return null
  const lines = countChangedLines(blobs.get(before), bytes)
  return { ...effect, before, after: blobs.put(bytes), afterBytes: bytes.length, lines }
}

const isLater = (amendment: Amendment): boolean =>
  amendment.kind === 'hunks'
    ? amendment.hunks.some(({ decision }) => decision.kind === 'later')
    : amendment.kind === 'leave' && !!amendment.later

/** Null if all hunks are decided. */
function laterPart(
  { write, signed }: { readonly write: WriteEffect; readonly signed: WriteEffect | null },
  effects: readonly Effect[],
  hunks: Hunks,
  blobs: Blobs,
): AmendedFile['later'] | null {
  const count = hunks.filter(({ decision }) => decision.kind === 'later').length
  if (count === 0) return null
  const before = signed === null ? write.before : signed.after
  if (count === hunks.length) return { hunks: count, before, after: null }
  const all = hunks.map((hunk) => (hunk.decision.kind === 'later' ? { ...hunk, decision: { kind: 'accept' } as const } : hunk))
  const whole = withHunks(write, effects, all, blobs)
  return { hunks: count, before, after: whole.ok && whole.value !== null ? whole.value.after : null }
}

/** Null if the file remains unchanged. */
function withHunks(write: WriteEffect, effects: readonly Effect[], hunks: Hunks, blobs: Blobs): Result<WriteEffect | null, string> {
  const source = sourceOf(write, effects)
  const before = source === null ? null : blobs.get(source)
  const proposed = blobs.get(write.after)
  const amended = amendLines(before ?? new Uint8Array(0), proposed, hunks)
  if (!amended.ok) return amended
  const isRejected = hunks.length > 0 && hunks.every(({ decision }) => decision.kind === 'reject' || decision.kind === 'later')
  if (isRejected && write.before === null && !write.movedFrom) return ok(null)
  const bytes = isRejected && before ? before : amended.value
  const after = blobs.put(bytes)
  if (after === write.before) return ok(null)
  return ok({ ...write, after, afterBytes: bytes.length, lines: countChangedLines(before, bytes) })
}

/** The content that the hunks are compared with: for a moved file, the content at its old path. */
function sourceOf({ before, movedFrom }: WriteEffect, effects: readonly Effect[]): BlobHash | null {
  const from = movedFrom && effects.find((effect) => effect.kind === 'delete' && effect.path === movedFrom.path)
  return from?.kind === 'delete' ? from.before : before
}

/**
 * Returns the effects without those on a path. If the path is part of a move, leaves out the effects on the move's other path too. A folder
 * in which something remains is not deleted.
 */
function without(effects: readonly Effect[], path: string, only?: Effect['kind']): readonly Effect[] {
  const move = effects.find((effect) => effect.kind === 'write' && effect.movedFrom && [effect.path, effect.movedFrom.path].includes(path))
  const paths = move?.kind === 'write' && move.movedFrom ? [move.path, move.movedFrom.path] : [path]
  return effects.filter((effect) => {
    if (!('path' in effect)) return true
    if (effect.kind === 'folder' && effect.change === 'deleted') return !paths.some((one) => isInside(effect.path, one))
    return !paths.includes(effect.path) || (only !== undefined && effect.kind !== only)
  })
}

/** A new entry that cannot be created, because the deletion of what is at its path, or above it, was left out. Null if there is none. */
function stillInTheWay(effects: readonly Effect[], rest: readonly Effect[]): { readonly made: string; readonly there: string } | null {
  const kept = effects.flatMap((effect) => (isDeletion(effect) && !rest.includes(effect) ? [effect] : []))
  if (kept.length === 0) return null
  for (const effect of rest) {
    if (!isCreation(effect)) continue
    const there = kept.find(({ kind, path }) => (kind === 'folder' ? path === effect.path : isInside(path, effect.path)))
    if (there) return { made: effect.shown, there: there.shown }
  }
  return null
}

type PathEffect = Extract<Effect, { readonly path: string }>

function isDeletion(effect: Effect): effect is PathEffect {
  if (effect.kind === 'folder') return effect.change === 'deleted'
  return effect.kind === 'delete' || (effect.kind === 'link' && effect.after === null)
}

function isCreation(effect: Effect): effect is PathEffect {
  if (effect.kind === 'folder') return effect.change === 'created'
  return (effect.kind === 'write' || effect.kind === 'link') && effect.before === null
}

function countsOf(hunks: Hunks): Pick<AmendedFile, 'hunks' | 'rejected' | 'edited'> {
  const count = (kind: Hunks[number]['decision']['kind']): number => hunks.filter(({ decision }) => decision.kind === kind).length
  return { hunks: hunks.length, rejected: count('reject'), edited: count('edit') }
}

function wordsOf(proposed: readonly Effect[], { effects, files }: Amended, blobs: Blobs): string {
  const left = files.filter((file) => file.left && file.later === undefined).map(({ shown }) => shown)
  const waiting = files.filter((file) => file.left && file.later !== undefined).map(({ shown }) => shown)
  const changed = files.filter((file) => !file.left && file.rejected + file.edited + (file.later?.hunks ?? 0) > 0)
  const lines = changed.flatMap(({ path, shown, hunks, rejected, edited, later }) => {
    const undecided = later?.hunks ?? 0
    const said = [
      `${hunks - rejected - edited - undecided} of ${hunks} hunks signed`,
      ...(rejected ? [`${rejected} refused`] : []),
      ...(undecided ? [`${undecided} to be decided later`] : []),
      ...(edited ? [`${edited} edited`] : []),
    ]
    const diff = unifiedDiff(bytesAfter(proposed, path, blobs), bytesAfter(effects, path, blobs))
    return [
      `${shown}: ${said.join(', ')}. Lines of your proposal begin with -, and lines that are in the file now begin with +:`,
      ...(diff.kind === 'text' ? diff.lines : []),
    ]
  })
  return [
    'The user signed only a part of these changes, or changed them. Exactly what the user signed was written.',
    ...(left.length > 0 ? [`Not changed, because the user refused it: ${left.join(', ')}.`] : []),
    ...(waiting.length > 0 ? [`Not changed yet, because the user decides later: ${waiting.join(', ')}.`] : []),
    ...lines,
  ].join('\n')
}

function bytesAfter(effects: readonly Effect[], path: string, blobs: Blobs): Uint8Array | null {
  const write = effects.find((effect) => effect.kind === 'write' && effect.path === path)
  return write?.kind === 'write' ? blobs.get(write.after) : null
}
