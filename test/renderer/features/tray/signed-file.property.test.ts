import { Buffer } from 'node:buffer'
import { applyPatch } from 'diff'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { amendLines } from '../../../../main/changes/amend-lines.ts'
import { signedDiff } from '../../../../renderer/features/tray/review/hunk-part.tsx'
import {
  amendmentsOf,
  type Decided,
  type HunkPiece,
  NOTHING_DECIDED,
  refused,
  withVersion,
} from '../../../../renderer/state/stores/review-decisions.ts'
import { computeDiff, type HunkPlace } from '../../../../renderer/ui/diff/compare/compute-diff.ts'
import { randomRuns } from '../../../random-runs.ts'

// Few different lines, so that they repeat, and changes touch or can be read in several ways.
const line = fc.constantFrom('a', 'b', '', '}', 'function c() {', '  d')
const text = fc.tuple(fc.array(line, { maxLength: 24 }), fc.boolean()).map(([lines, ends]) => lines.join('\n') + (ends ? '\n' : ''))
/** Null keeps a hunk, false rejects it, and a text replaces its lines. */
const decision = fc.oneof(fc.constant(null), fc.constant(false as const), text)
const ending = fc.constantFrom('\n', '\r\n')

function decidedAs(hunks: readonly HunkPiece[], decisions: readonly (null | false | string)[]): Decided {
  return hunks.reduce<Decided>((decided, hunk, at) => {
    const wanted = decisions[at % decisions.length] ?? null
    if (wanted === null) return decided
    return wanted === false ? refused(decided, [hunk.key]) : withVersion(decided, hunk, wanted)
  }, NOTHING_DECIDED)
}

/** The old file with the differences that the tray shows, applied by another program than ours. */
function asShown(before: string, hunks: readonly { readonly place: HunkPlace; readonly piece: HunkPiece }[], decided: Decided): string {
  let shown = before
  // From the last hunk to the first, so that the line numbers of earlier hunks stay right.
  for (const { place, piece } of hunks.toReversed()) {
    if (decided.refused.has(piece.key)) continue
    const { patch } = signedDiff({ place }, decided.edits.get(piece.key))
    if (patch === '') continue
    const applied = applyPatch(shown, `--- a\n+++ a\n${patch}`, { fuzzFactor: 0, autoConvertLineEndings: false })
    if (applied === false) throw new Error(`This does not fit:\n${patch}`)
    shown = applied
  }
  return shown
}

it('the file after signing is the old file with exactly the differences that the tray showed', () => {
  fc.assert(
    fc.property(text, text, fc.array(decision, { minLength: 1, maxLength: 6 }), ending, (old, fresh, decisions, end) => {
      const before = old.replaceAll('\n', end)
      const after = fresh.replaceAll('\n', end)
      fc.pre(before !== after)
      const hunks = computeDiff({ path: 'a', before, after, language: 'text' }).hunks.map((place) => ({
        place,
        piece: { kind: 'hunk', key: place.key, path: 'a', before: place.before, after: place.after, text: place.text } as const,
      }))
      const pieces = hunks.map(({ piece }) => piece)
      const decided = decidedAs(pieces, decisions)
      const [amendment] = amendmentsOf(pieces, decided)
      const signed = amendment?.kind === 'hunks' ? amendLines(Buffer.from(before), Buffer.from(after), amendment.hunks) : null
      const written = signed === null ? after : signed.ok ? Buffer.from(signed.value).toString() : signed.failure
      expect(written).toBe(asShown(before, hunks, decided))
    }),
    { numRuns: randomRuns(1500) },
  )
})

it('a version shows only the lines that differ from the old file, and counts them', () => {
  const before = 'one\ntwo\nthree\nfour\nfive\n'
  const [place] = computeDiff({ path: 'a', before, after: 'one\nA\nB\nC\nfive\n', language: 'text' }).hunks
  if (!place) throw new Error('no hunk')
  expect(signedDiff({ place }, 'two\nB\nfour\n')).toEqual({
    patch: '@@ -1,5 +1,5 @@\n one\n two\n-three\n+B\n four\n five\n',
    added: 1,
    removed: 1,
  })
  expect(signedDiff({ place }, 'two\nthree\nfour\n')).toEqual({ patch: '', added: 0, removed: 0 })
})
