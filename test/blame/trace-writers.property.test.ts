import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hashOf } from '../../main/agent/blob-hash.ts'
import { type RecordedChange, traceWriters, type TraceParts } from '../../main/blame/trace-writers.ts'
import { type Blame, type LineWriter, writerOf } from '../../shared/api/changes/blame.ts'
import { type BlobHash, SessionId } from '../../shared/lib/ids.ts'
import { randomRuns } from '../random-runs.ts'

/** In these tests every writer is a change from outside, and `since` is the id of that change. */
const writer = (id: number): LineWriter => ({ kind: 'outside', since: id, until: -1 })

/** Creates an empty history to which a test adds file changes one by one. Stores the contents of the files. */
function history() {
  const contents = new Map<BlobHash, Uint8Array>()
  const changes = new Map<string, RecordedChange[]>()
  let last = 0
  const put = (text: string | null): BlobHash | null => {
    if (text === null) return null
    const bytes = Buffer.from(text)
    contents.set(hashOf(bytes), bytes)
    return hashOf(bytes)
  }
  const parts: TraceParts = {
    changesOf: (path) => changes.get(path) ?? [],
    changesIn: (layer) => (path) => changes.get(`${layer}/${path}`) ?? [],
    content: (hash) => contents.get(hash) ?? null,
    writerOf: writer,
  }
  return {
    parts,
    change(
      before: string | null,
      after: string | null,
      { path = 'f', from, broughtFrom }: { path?: string; from?: string; broughtFrom?: SessionId } = {},
    ): number {
      const id = ++last
      const own = {
        id,
        at: id * 10,
        before: put(before),
        after: put(after),
        ...(broughtFrom && { broughtFrom }),
        ...(from !== undefined && { movedFrom: { path: from, shown: from } }),
      }
      changes.set(path, [...(changes.get(path) ?? []), own])
      return id
    },
    now: (text: string, path = 'f'): Blame => {
      const found = traceWriters(path, { kind: 'now', bytes: Buffer.from(text) }, parts)
      if (!found) throw new Error('nothing was traced')
      return found
    },
    of: (text: string): Blame | null => traceWriters('f', { kind: 'stored', hash: put(text) ?? ('' as BlobHash) }, parts),
  }
}

const writersIn = (blame: Blame): readonly (LineWriter | null)[] => Array.from({ length: blame.lines }, (_, at) => writerOf(blame, at + 1))
const EARLIER: LineWriter = { kind: 'earlier' }

describe('the writers of lines', () => {
  it('of a line that was brought in is the step in the layer, or the bring-in itself if no step in the layer wrote it', () => {
    const file = history()
    const layer = SessionId.parse('s_layer')
    const first = file.change('a\nb\n', 'a\nB\n', { path: `${layer}/f` })
    const second = file.change('a\nB\n', 'a\nB\nc\n', { path: `${layer}/f` })
    const own = file.change('a\nb\n', 'a\nB\nc\nedited before signing\n', { broughtFrom: layer })
    // Later work in the layer has not been brought in.
    file.change('a\nB\nc\n', 'a\nlater\nc\n', { path: `${layer}/f` })
    const after = file.change('a\nB\nc\nedited before signing\n', 'a\nB\nc\nedited before signing\nd\n')
    expect(writersIn(file.now('a\nB\nc\nedited before signing\nd\n'))).toEqual([
      EARLIER,
      writer(first),
      writer(second),
      writer(own),
      writer(after),
    ])
  })

  it('follow a line through later edits above and below it', () => {
    const file = history()
    const first = file.change('a\nb\nc\n', 'a\nB\nc\n')
    const second = file.change('a\nB\nc\n', 'x\na\nB\nc\ny\n')
    expect(writersIn(file.now('x\na\nB\nc\ny\n'))).toEqual([writer(second), EARLIER, writer(first), EARLIER, writer(second)])
  })

  it('include an outside edit between two steps, or after the last step', () => {
    const file = history()
    const first = file.change(null, 'a\nb\n')
    const second = file.change('a\nmine\nb\n', 'a\nmine\nb\nc\n')
    expect(writersIn(file.now('a\nmine\nb\nc\nlater\n'))).toEqual([
      writer(first),
      { kind: 'outside', since: 10, until: 20 },
      writer(first),
      writer(second),
      { kind: 'outside', since: 20, until: null },
    ])
  })

  it('of an older version are the writers at that time', () => {
    const file = history()
    const first = file.change(null, 'a\nb\n')
    file.change('a\nb\n', 'c\n')
    expect(writersIn(file.of('a\nb\n') ?? file.now(''))).toEqual([writer(first), writer(first)])
  })

  it('are kept when a file is moved', () => {
    const file = history()
    const first = file.change(null, 'a\nb\nc\n', { path: 'old' })
    const second = file.change(null, 'a\nb\nC\n', { path: 'f', from: 'old' })
    expect(writersIn(file.now('a\nb\nC\n'))).toEqual([writer(first), writer(first), writer(second)])
  })

  it('start over when the file is deleted and written again', () => {
    const file = history()
    file.change(null, 'a\n')
    file.change('a\n', null)
    const third = file.change(null, 'a\n')
    expect(writersIn(file.now('a\n'))).toEqual([writer(third)])
  })

  it('of a file that no step touched are "earlier"', () => {
    expect(writersIn(history().now('a\nb\n'))).toEqual([EARLIER, EARLIER])
    expect(history().now('')).toEqual({ lines: 0, runs: [], writers: [] })
    expect(writerOf(history().now('a\n'), 2)).toBe(null)
  })

  /** A random edit that replaces some lines at one place. It is made by a step, or from outside before the next step. */
  const edit = fc.record({
    at: fc.nat(),
    removed: fc.nat({ max: 4 }),
    added: fc.nat({ max: 4 }),
    isOutside: fc.boolean(),
  })

  it('are the same as in a test model that records the writer of every line, after any sequence of edits', () => {
    fc.assert(
      fc.property(fc.nat({ max: 30 }), fc.array(edit, { maxLength: 25 }), fc.boolean(), (size, edits, endsWithLine) => {
        const file = history()
        interface Line {
          readonly text: string
          writer: LineWriter | null
        }
        let fresh = 0
        let lines: Line[] = Array.from({ length: size }, () => ({ text: `line ${fresh++}\n`, writer: EARLIER }))
        let at: number | null = null
        const textOf = (all: readonly Line[]): string => all.map(({ text }) => text).join('')
        for (const { at: wanted, removed, added, isOutside } of edits) {
          const place = wanted % (lines.length + 1)
          const own: Line[] = Array.from({ length: added }, () => ({ text: `line ${fresh++}\n`, writer: null }))
          const next = lines.toSpliced(place, removed, ...own)
          if (!isOutside) {
            for (const line of lines) line.writer ??= at === null ? EARLIER : { kind: 'outside', since: at, until: -2 }
            const since: number | null = at
            const id = file.change(textOf(lines), textOf(next))
            for (const line of lines)
              if (line.writer?.kind === 'outside' && line.writer.until === -2) line.writer = { kind: 'outside', since, until: id * 10 }
            for (const line of own) line.writer = writer(id)
            at = id * 10
          }
          lines = next
        }
        for (const line of lines) line.writer ??= at === null ? EARLIER : { kind: 'outside', since: at, until: null }
        const last = endsWithLine || lines.length === 0 ? '' : 'end'
        const found = file.now(textOf(lines) + last)
        const expected = lines.map((line) => line.writer)
        if (last !== '') expected.push(at === null ? EARLIER : { kind: 'outside', since: at, until: null })
        expect(writersIn(found)).toEqual(expected)
      }),
      { numRuns: randomRuns(400) },
    )
  })

  it('of repeated lines are always found, and no step is named for a line that no step wrote', () => {
    const some = fc.array(fc.constantFrom('a\n', 'b\n', '\n', '}\r\n', 'é\n'), { maxLength: 40 }).map((lines) => lines.join(''))
    fc.assert(
      fc.property(fc.array(some, { minLength: 2, maxLength: 12 }), (texts) => {
        const file = history()
        const ids = new Set<number | null>()
        for (const [at, text] of texts.slice(1).entries()) ids.add(file.change(texts[at] ?? '', text))
        const last = texts.at(-1) ?? ''
        const found = file.now(last)
        expect(found.lines).toBe(last === '' ? 0 : last.split('\n').length - (last.endsWith('\n') ? 1 : 0))
        for (const one of writersIn(found)) expect(one?.kind === 'earlier' || (one?.kind === 'outside' && ids.has(one.since))).toBe(true)
      }),
    )
  })

  it('of 10,000 lines after 500 steps are found in less than a second of CPU time', () => {
    const file = history()
    let lines = Array.from({ length: 10_000 }, (_, at) => `const value${at} = compute(${at}, 'some words to fill the line')\n`)
    let text = lines.join('')
    for (let step = 0; step < 500; step++) {
      const places = [(step * 7_919) % 10_000, (step * 104_729 + 31) % 10_000]
      const next = [...lines]
      for (const place of places) next[place] = `changed by ${step} at ${place}\n`
      const after = next.join('')
      file.change(text, after)
      lines = next
      text = after
    }
    const before = process.cpuUsage()
    const found = file.now(text)
    expect(found.lines).toBe(10_000)
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1_000).toBeLessThan(1_000)
  })
})
