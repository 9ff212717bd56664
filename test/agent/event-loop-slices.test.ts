import { readFile } from 'node:fs/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { hashInSlices, hashOf } from '../../main/agent/blob-hash.ts'
import { concatInSlices, createSlices, eventLoopTurn } from '../../main/agent/event-loop-slices.ts'
import { countChangedLinesInSlices } from '../../main/changes/count-changed-lines.ts'
import { PLAIN_UTF8, textFormInSlices, textFormOf } from '../../main/tools/text/encoding.ts'
import { lineRange } from '../../main/tools/text/line-feeds.ts'

test('each turn of the event loop resumes one waiting caller, in order, and other work can run in between', async () => {
  const log: string[] = []
  const others = (async () => {
    for (let n = 0; n < 4; n++) {
      await new Promise<void>((resolve) => void setImmediate(resolve))
      log.push('other')
    }
  })()
  await Promise.all([...['a', 'b', 'c'].map((name) => eventLoopTurn().then(() => log.push(name))), others])
  expect(log).toEqual(['other', 'other', 'a', 'other', 'b', 'other', 'c'])
})

test('waiting for a turn of the event loop lets due timers run, even right after a file read', async () => {
  await readFile(import.meta.filename)
  const log: string[] = []
  setTimeout(() => log.push('timer'), 1)
  const until = performance.now() + 5
  while (performance.now() < until);
  await eventLoopTurn()
  expect(log).toEqual(['timer'])
})

test('long work yields the thread between slices, and short work never does', async () => {
  let turns = 0
  const count = setInterval(() => turns++, 0)
  try {
    // No time passes during the short work, even if another program keeps this one waiting.
    const time = vi.spyOn(performance, 'now').mockReturnValue(0)
    const short = createSlices()
    for (let n = 0; n < 100; n++) await short()
    expect(turns).toBe(0)
    time.mockRestore()
    const long = createSlices()
    for (let n = 0; n < 10; n++) {
      const until = performance.now() + 9
      while (performance.now() < until);
      await long()
    }
    expect(turns).toBeGreaterThanOrEqual(5)
  } finally {
    clearInterval(count)
  }
})

/** A log of 67 MB with a character of two bytes in each line. */
const LARGE = Buffer.from('é and more of a log\n'.repeat(64).repeat(50_000))

test.each([
  ['hashing', () => hashInSlices(LARGE), hashOf(LARGE)],
  ['finding the encoding of', () => textFormInSlices(LARGE), PLAIN_UTF8],
  ['copying', async () => LARGE.compare(await concatInSlices([LARGE.subarray(0, 9), LARGE.subarray(9)])), 0],
  ['counting the changed lines of', () => countChangedLinesInSlices(LARGE, LARGE.subarray(21)), { added: 0, removed: 1 }],
  ['counting the lines of', async () => (await lineRange(LARGE, PLAIN_UTF8, 2, 1)).totalLines, 64 * 50_000],
])('%s a file of 67 MB lets other work run in between', async (_, work, result) => {
  // On this clock each pass takes as long as a slice may, however fast the machine is.
  let ms = 0
  const time = vi.spyOn(performance, 'now').mockImplementation(() => (ms += 9))
  onTestFinished(() => time.mockRestore())
  let turns = 0
  const count = setInterval(() => turns++, 0)
  const found = await work().finally(() => clearInterval(count))
  expect(found).toEqual(result)
  expect(turns).toBeGreaterThan(0)
})

test.each([
  ['characters of two bytes', Buffer.from(`a${'é'.repeat(1_100_000)}`)],
  ['characters of four bytes', Buffer.from(`abc${'😀'.repeat(600_000)}`)],
  ['an older encoding', Buffer.from(`a${'é'.repeat(1_100_000)}`, 'latin1')],
  ['only continuation bytes', Buffer.alloc(2_200_000, 0x80)],
  ['a NUL at the end', Buffer.concat([Buffer.alloc(2_200_000, 'a'), Buffer.alloc(1)])],
  ['a byte order mark of UTF-16', Buffer.from(`\ufeff${'a'.repeat(600_000)}`, 'utf16le')],
  ['nothing', Buffer.alloc(0)],
])('a text with %s has the same encoding whether it is read in slices or at once', async (_, bytes) => {
  expect(await textFormInSlices(bytes)).toEqual(textFormOf(bytes))
  expect(await hashInSlices(bytes)).toBe(hashOf(bytes))
})
