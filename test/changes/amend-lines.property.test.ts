import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { amendLines } from '../../main/changes/amend-lines.ts'
import { diffLines } from '../../shared/lib/lines/line-diff.ts'
import { hunksOf, splitLines } from '../../shared/lib/lines/unified-hunks.ts'
import type { Amendment } from '../../shared/session/amendment.ts'
import { randomRuns } from '../random-runs.ts'

type HunkDecision = Extract<Amendment, { readonly kind: 'hunks' }>['hunks'][number]['decision']

const line = fc.constantFrom('a\n', 'b\n', 'c\n', 'é\r\n', '\n', 'last')
const text = fc.array(line, { maxLength: 30 }).map((lines) => lines.join(''))
const decision: fc.Arbitrary<HunkDecision> = fc.oneof(
  fc.constant<HunkDecision>({ kind: 'accept' }),
  fc.constant<HunkDecision>({ kind: 'reject' }),
  fc.constant<HunkDecision>({ kind: 'later' }),
  fc.array(line, { maxLength: 3 }).map((lines): HunkDecision => ({ kind: 'edit', text: lines.join('') })),
)

/** Returns the hunks as the UI shows them, each with its decision. */
function decided(before: string, after: string, decisions: readonly HunkDecision[]) {
  const groups = hunksOf(diffLines(splitLines(before), splitLines(after), 300))
  return groups.map((group, at) => {
    const last = group.at(-1) ?? group[0]
    return {
      before: [group[0].beforeStart, last.beforeEnd] as const,
      after: [group[0].afterStart, last.afterEnd] as const,
      decision: decisions[at % decisions.length] ?? { kind: 'accept' as const },
    }
  })
}

/** The expected result: the old text with each hunk applied, left out or replaced. */
function expected(before: string, after: string, hunks: ReturnType<typeof decided>): string {
  const old = splitLines(before)
  const fresh = splitLines(after)
  const out: string[] = []
  let at = 0
  for (const {
    before: [from, to],
    after: [start, end],
    decision: said,
  } of hunks) {
    out.push(...old.slice(at, from))
    if (said.kind === 'accept') out.push(...fresh.slice(start, end))
    else if (said.kind === 'edit') out.push(said.text)
    else out.push(...old.slice(from, to))
    at = to
  }
  return [...out, ...old.slice(at)].join('')
}

test('every hunk of the file has its accepted, original or edited text, and nothing else changes', () => {
  fc.assert(
    fc.property(
      text,
      text,
      fc.array(decision, { minLength: 1, maxLength: 8 }),
      fc.constantFrom('', '\uFEFF'),
      (before, after, decisions, bom) => {
        const hunks = decided(before, after, decisions)
        const amended = amendLines(Buffer.from(before && bom + before), Buffer.from(bom + after), hunks)
        expect(amended.ok && Buffer.from(amended.value).toString()).toBe(bom + expected(before, after, hunks))
      },
    ),
    { numRuns: randomRuns(2000) },
  )
})

test('rejecting all hunks gives the old text, and accepting all gives the proposed text', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const both = (['reject', 'accept'] as const).map((kind) => {
        const amended = amendLines(Buffer.from(before), Buffer.from(after), decided(before, after, [{ kind }]))
        return amended.ok && Buffer.from(amended.value).toString()
      })
      expect(both).toEqual([before, after])
    }),
  )
})

const BEFORE = Buffer.from('one\ntwo\nthree\n')
const AFTER = Buffer.from('one\n2\nthree\n')
const accept = { kind: 'accept' } as const

test.each([
  ['a range beyond the text', [{ before: [1, 9], after: [1, 2], decision: accept }]],
  ['lines between hunks that differ', [{ before: [0, 1], after: [0, 1], decision: accept }]],
  [
    'hunks out of order',
    [
      { before: [1, 2], after: [1, 2], decision: accept },
      { before: [0, 1], after: [0, 1], decision: accept },
    ],
  ],
  ['a range whose end is before its start', [{ before: [2, 1], after: [1, 2], decision: accept }]],
  ['an empty list of hunks', []],
] as const)('refuses %s', (_, hunks) => {
  expect(amendLines(BEFORE, AFTER, hunks)).toEqual({ ok: false, failure: expect.stringContaining('Look at the request again') })
})

test.each([
  ['UTF-16 with a byte order mark', Buffer.from('\uFEFFone\ntwo\n', 'utf16le'), Buffer.from('\uFEFFone\nZWEI\n', 'utf16le'), true],
  ['bytes that are not text', Buffer.from([0, 1, 2]), Buffer.from([0, 1, 3]), false],
  ['an unknown encoding', Buffer.from('gr\xfcn\n', 'latin1'), Buffer.from('gr\xfcner\n', 'latin1'), false],
])('%s: hunks can be decided only if the text is known', (_, before, after, can) => {
  const amended = amendLines(before, after, [{ before: [1, 2], after: [1, 2], decision: { kind: 'edit', text: 'drei\n' } }])
  expect(amended.ok).toBe(can)
  if (amended.ok) expect(Buffer.from(amended.value).toString('utf16le')).toBe('\uFEFFone\ndrei\n')
})
