import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBackgroundWrite } from '../../../main/store/blobs/background-write.ts'
import { randomRuns } from '../../random-runs.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

function openFile(): { readonly path: string; readonly handle: number } {
  const folder = temporaryFolder('beside')
  const path = join(folder, 'file')
  return { path, handle: openSync(path, 'w') }
}

const closed = (writer: ReturnType<typeof createBackgroundWrite>): Promise<void> => new Promise((resolve) => writer.close(resolve))

test('the file is complete when `finish` returns, and still complete after the pending background writes', async () => {
  const sizes = fc.array(fc.oneof(fc.integer({ min: 0, max: 70_000 }), fc.integer({ min: 0, max: 3_000_000 })), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(sizes, fc.boolean(), async (lengths, pauses) => {
      const { path, handle } = openFile()
      const writer = createBackgroundWrite(handle)
      const given: Buffer[] = []
      for (const [at, length] of lengths.entries()) {
        const bytes = Buffer.alloc(length, `${at} and so on `)
        given.push(Buffer.from(bytes))
        writer.write(bytes)
        // The caller may reuse the buffer at once.
        bytes.fill(0)
        if (pauses) await new Promise(setImmediate)
      }
      writer.finish()
      const all = Buffer.concat(given)
      expect(readFileSync(path).equals(all)).toBe(true)
      await closed(writer)
      expect(readFileSync(path).equals(all)).toBe(true)
    }),
    { numRuns: randomRuns(60) },
  )
})

test('the error of a failed background write is thrown by the next call, and the handle is still closed', async () => {
  const { path } = openFile()
  // The file is open only for reading, so every write fails with EBADF.
  const handle = openSync(path, 'r')
  const writer = createBackgroundWrite(handle)
  writer.write(Buffer.alloc(1024 * 1024))
  await new Promise<void>((resolve) => {
    const look = (): void => {
      try {
        writer.write(Buffer.alloc(0))
        setImmediate(look)
      } catch (error) {
        expect(error).toMatchObject({ code: 'EBADF' })
        resolve()
      }
    }
    look()
  })
  expect(() => writer.finish()).toThrow('EBADF')
  await closed(writer)
  expect(() => fstatSync(handle)).toThrow('EBADF')
})

test('`finish` throws the error of its own failed write', async () => {
  const { path } = openFile()
  const writer = createBackgroundWrite(openSync(path, 'r'))
  writer.write(Buffer.from('a few bytes'))
  expect(() => writer.finish()).toThrow('EBADF')
  await closed(writer)
})

test('the handle is closed only when no write is pending', async () => {
  const { path, handle } = openFile()
  const writer = createBackgroundWrite(handle)
  writer.write(Buffer.alloc(3 * 1024 * 1024, 'x'))
  const closing = closed(writer)
  expect(fstatSync(handle).isFile()).toBe(true)
  await closing
  expect(readFileSync(path).length).toBe(3 * 1024 * 1024)
  expect(() => closeSync(handle)).toThrow('EBADF')
})
