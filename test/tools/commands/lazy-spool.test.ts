import { expect, it } from 'vitest'
import { createSpool } from '../../../main/store/blobs/spool.ts'
import { createLazySpool } from '../../../main/tools/commands/lazy-spool.ts'

it('held data is copied, so that the buffer can be reused', () => {
  const stored: string[] = []
  const putSmall = (_: string, bytes: Uint8Array): void => void stored.push(Buffer.from(bytes).toString())
  const spool = createLazySpool(() => createSpool({ files: null, write: (work) => work(), putSmall }), 100)
  // Output may also be a Buffer, whose `slice` does not copy the bytes.
  for (const buffer of [Buffer.from('first '), new Uint8Array(Buffer.from('second'))]) {
    spool.write(buffer)
    buffer.fill(0)
  }
  spool.end(true)
  expect(stored).toEqual(['first second'])
})
