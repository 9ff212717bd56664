import { hash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readRegularFile } from '../../../main/environment/files/read-regular-file.ts'
import { createLargeTextReader } from '../../../main/tools/text/large-text.ts'
import { countLineFeeds } from '../../../main/tools/text/count-line-feeds.ts'
import { PLAIN_UTF8, textFormOf } from '../../../main/tools/text/encoding.ts'
import { lineRange } from '../../../main/tools/text/line-feeds.ts'
import { createWorkbench, textOf, type Workbench } from '../workbench.ts'

/** The bytes in pieces, all of which are put into the same memory, as when a file is read. */
function* piecesOf(bytes: Uint8Array, cuts: readonly number[]): Generator<Uint8Array> {
  const block = new Uint8Array(bytes.length)
  const places = [...new Set([0, ...cuts.map((cut) => cut % bytes.length), bytes.length])].toSorted((a, b) => a - b)
  for (const [index, to] of places.entries()) {
    const from = places[index - 1]
    if (from === undefined) continue
    block.fill(0x78)
    block.set(bytes.subarray(from, to))
    yield block.subarray(0, to - from)
  }
}

const piece = fc.constantFrom('a', '\n', '\r\n', 'é', '語', '🙂', 'long words ', '\n\n', '\t')
const text = fc.array(piece, { minLength: 1, maxLength: 60 }).map((parts) => parts.join(''))
const numbers = fc.array(fc.nat(200), { maxLength: 6 })

describe('a text that is read in pieces', () => {
  it('has the same lines, number of lines and hash as the whole text, wherever it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        text,
        numbers,
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 12 }),
        async (whole, cuts, first, count) => {
          const bytes = Buffer.from(whole)
          const reader = createLargeTextReader(first, count)
          for (const each of piecesOf(bytes, cuts)) reader.take(each)
          expect(reader.end()).toEqual({ ...(await lineRange(bytes, PLAIN_UTF8, first, count)), hash: hash('sha256', bytes) })
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('is read in another way if it is not plain UTF-8, wherever it is cut', () => {
    const some = fc.uint8Array({ minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(
        fc.oneof(
          some,
          text.map((each) => Uint8Array.from(Buffer.from(each))),
        ),
        numbers,
        (bytes, cuts) => {
          const reader = createLargeTextReader(1, 10)
          for (const each of piecesOf(bytes, cuts)) reader.take(each)
          const form = textFormOf(bytes)
          const isPlain = form?.encoding === 'utf-8' && form.bom === 0
          // Some texts that begin with the byte of a mark are plain too, but are read in the other way to be sure.
          expect(reader.end() !== null && bytes[0] !== 0xef).toBe(isPlain && bytes[0] !== 0xef)
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('its line feeds are counted at any position', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3000, max: 12 }), fc.nat(7), (bytes, from) => {
        const part = bytes.subarray(from)
        expect(countLineFeeds(part)).toBe(part.filter((byte) => byte === 0x0a).length)
      }),
    )
    const all = Uint8Array.from({ length: 256 }, (_, byte) => byte)
    expect(countLineFeeds(all)).toBe(1)
    expect(countLineFeeds(new Uint8Array(100_000).fill(0x0a))).toBe(100_000)
  })
})

describe('a file that is read in pieces', () => {
  let bench: Workbench
  beforeAll(() => void (bench = createWorkbench()))
  afterAll(() => bench.dispose())
  const LINES = 200_000
  const lines = Array.from({ length: LINES }, (_, index) => `line ${index + 1} é`)
  const whole = `${lines.join('\n')}\n`

  it.each([1, 150_000, LINES])('shows the lines from %d on, and what an edit needs', async (offset) => {
    writeFileSync(join(bench.root, 'large.txt'), whole)
    const { output, details } = await bench.call('read_file', { file_path: 'large.txt', offset, limit: 2 })
    expect(textOf(output).split('\n')[0]?.trim()).toBe(`${offset}\t${lines[offset - 1]}`)
    expect(details).toMatchObject({ firstLine: offset, totalLines: LINES, hash: hash('sha256', whole) })
  })

  it.each([
    ['UTF-16', Buffer.from(`\ufeff${whole}`, 'utf16le'), 'line 1 é'],
    ['an older encoding', Buffer.from(whole, 'latin1'), 'line 1 é'],
    ['a byte order mark', Buffer.from(`\ufeff${whole}`), 'line 1 é'],
  ])('in %s is shown as well', async (_, bytes, first) => {
    writeFileSync(join(bench.root, 'large.txt'), bytes)
    const { output, isError } = await bench.call('read_file', { file_path: 'large.txt', limit: 1 })
    expect({ isError, first: textOf(output).split('\n')[0]?.trim() }).toEqual({ isError: false, first: `1\t${first}` })
  })

  it('is read into one block of memory', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-test-'))
    try {
      const file = join(folder, 'large.txt')
      writeFileSync(file, whole)
      const blocks = new Set<ArrayBufferLike>()
      let length = 0
      const rest = await readRegularFile(file, {
        take(bytes) {
          blocks.add(bytes.buffer)
          length += bytes.length
        },
      })
      expect({ blocks: blocks.size, length, rest: rest.length }).toEqual({ blocks: 1, length: Buffer.byteLength(whole), rest: 0 })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
