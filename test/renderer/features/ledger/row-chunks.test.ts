import { describe, expect, test } from 'vitest'
import { foldingOf, outcomeOf } from '../../../../renderer/tools/views.ts'
import { proseKey, rowsOf, sameRow, sameChunk, chunksOf } from '../../../../renderer/features/ledger/row-chunks.ts'
import { endOfLastSentence } from '../../../../renderer/features/ledger/markdown/spoken-answer.tsx'
import { markOf, markWordOf } from '../../../../renderer/ui/calls/call-mark.ts'
import type { DurableEvent } from '../../../../shared/session/events.ts'
import { emptySession, foldAll } from '../../../../shared/session/fold/fold.ts'
import type { CallItem } from '../../../../shared/session/state.ts'
import { answer, answered, begun, ended, executing, input, requested, SESSION, stamped, started } from '../../../agent/support/events.ts'

const stateOf = (...events: readonly DurableEvent[]) => foldAll(emptySession(SESSION), stamped([started(), input('go'), ...events]))
const callOf = (...events: readonly DurableEvent[]): CallItem =>
  stateOf(...events).items.findLast((item): item is CallItem => item.kind === 'call') as CallItem
const text = (words: string) => ({ kind: 'text', text: words }) as const
const reads = (...ids: readonly string[]): readonly DurableEvent[] => [...ids.map((id) => begun(id)), ...ids.map((id) => ended(id))]

describe('the rows of a ledger', () => {
  test('reads of one round share a row, but a failed read, like any other call in between, gets its own row', () => {
    const state = stateOf(
      answer([text('I look.')]),
      ...reads('a', 'b', 'c'),
      answer([text('And on.')]),
      ...reads('d'),
      begun('e'),
      ended('e', 'no such file', { isError: true, outcome: 'failed' }),
    )
    const told = rowsOf(state.items, 0).map((row) => (row.kind === 'reads' ? row.items.map((item) => item.toolCallId) : row.item.kind))
    expect(told).toEqual(['user', 'prose', ['a', 'b', 'c'], 'prose', ['d'], 'call'])
  })

  test('keep their identity while their entries are unchanged', () => {
    const before = rowsOf(stateOf(...reads('a', 'b'), begun('s', 'shell')).items, 0)
    const state = stateOf(...reads('a', 'b'), begun('s', 'shell'))
    const after = rowsOf(foldAll(state, stamped([requested('s', 'ap')], state.cursor + 1)).items, 0)
    const pairs = rowsOf(state.items, 0).map((row, index) => after[index] && sameRow(row, after[index]))
    expect(pairs).toEqual([true, true, false])
    expect(before[1] && after[1] && sameRow(before[1], after[1])).toBe(false)
  })
})

describe('chunks of rows', () => {
  const { items } = stateOf(
    ...Array.from({ length: 200 }, (_, index) => [
      answer([text(`Answer ${index}.`)]),
      begun(`c${index}`, 'shell'),
      ended(`c${index}`),
    ]).flat(),
  )
  const held = (firstItem: number, now = items) => chunksOf(rowsOf(now.slice(firstItem), firstItem), now.length)
  const unchanged = (before: ReturnType<typeof held>, after: ReturnType<typeof held>): number =>
    before.filter((chunk) => after.some((other) => other.key === chunk.key && sameChunk(chunk, other))).length

  test('contain all rows in order, followed by the place of the unfinished answer', () => {
    const chunks = held(0)
    expect(chunks.flatMap(({ rows }) => rows)).toEqual(rowsOf(items, 0))
    expect(chunks.map(({ writing }) => writing).filter((key) => key !== null)).toEqual([proseKey(items.length)])
    expect(chunksOf(rowsOf(items.slice(0, 128), 0), 128).at(-1)).toEqual({ key: 's4', rows: [], writing: proseKey(128) })
  })

  test('are all kept, except for one, when older entries are loaded or when an entry changes or is added', () => {
    const before = held(100)
    expect(unchanged(before, held(0))).toBe(before.length - 1)
    const changed = items.map((item, index) => (index === 222 && item.kind === 'call' ? { ...item, output: 'more' } : item))
    expect(unchanged(before, held(100, changed))).toBe(before.length - 1)
    expect(unchanged(before, held(100, items.slice(0, -1)))).toBe(before.length - 1)
  })
})

describe('an answer', () => {
  test('keeps its key when it is finished and when older entries are loaded', () => {
    const before = stateOf(...reads('a'))
    const after = foldAll(before, stamped([answer([text('Done.')]), begun('s', 'shell')], before.cursor + 1))
    const place = before.items.length
    expect(rowsOf(after.items, 0).map(({ key }) => key)[2]).toBe(proseKey(place))
    expect(rowsOf(after.items.slice(1), 1).map(({ key }) => key)[1]).toBe(proseKey(place))
    expect(rowsOf(after.items, 0, (item) => item.kind === 'call').map(({ key }) => key)[1]).toBe(proseKey(place))
  })
})

describe('labels of a step', () => {
  const asked = [begun('s', 'shell', { command: 'npm test' }), requested('s', 'ap')] as const
  const signed = [...asked, answered('s', 'ap', { kind: 'signed' })] as const
  const ran = (more: Parameters<typeof ended>[2]) => callOf(...signed, executing('s'), ended('s', 'out', { toolName: 'shell', ...more }))

  test.each([
    ['while it is prepared, it is proposed', callOf(asked[0]), 'proposed', 'none'],
    ['while it waits for the user, it is pending', callOf(...asked), 'pending', 'none'],
    ['signed and not started yet', callOf(...signed), 'signed', 'none'],
    ['done', ran({}), 'signed', 'closed'],
    ['signed, and it failed: the signature is kept, and the output is open', ran({ isError: true, outcome: 'failed' }), 'signed', 'open'],
    ['interrupted: the known details are always shown', ran({ isError: true, outcome: 'interrupted' }), 'signed', 'fixed'],
    ['refused', callOf(...asked, answered('s', 'ap', { kind: 'refused', note: null, by: 'person' })), 'refused', 'none'],
    [
      'blocked by policy: the reason is always shown',
      callOf(asked[0], ended('s', 'Not in mode plan.', { toolName: 'shell', isError: true, outcome: 'barred' })),
      'blocked',
      'fixed',
    ],
    ['a read', callOf(begun('r'), ended('r')), 'read', 'closed'],
    ['a read that failed', callOf(begun('r'), ended('r', 'no such file', { isError: true, outcome: 'failed' })), 'failed', 'fixed'],
  ] as const)('%s', (_, call, mark, folding) => {
    expect({ mark: markOf(call), folding: foldingOf(call) }).toEqual({ mark, folding })
  })

  test('a call that the policy did not allow is shown as blocked, whatever the log calls it', () => {
    const call = callOf(asked[0], ended('s', 'Not in mode plan.', { toolName: 'shell', isError: true, outcome: 'barred' }))
    expect(outcomeOf(call)).toBe('blocked')
  })

  test('a signed step says when it was signed', () => {
    expect(markWordOf(ran({}))).toMatch(/^Signed \d\d:\d\d:\d\d$/)
  })
})

describe('sentences for screen readers', () => {
  test.each([
    ['', 0],
    ['Not yet', 0],
    ['One. Two is not', 4],
    ['One. Two.', 9],
    ['A line\nand more', 7],
    ['Version 3.1 of it', 0],
    [`${'word '.repeat(1_000)}End. And`, 5_004],
  ])('%j ends at %i', (words, end) => {
    expect(endOfLastSentence(words)).toBe(end)
  })
})
