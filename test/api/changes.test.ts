import { writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { changesHandlers } from '../../main/api/changes.ts'
import { BlobHash } from '../../shared/lib/ids.ts'
import { opened, session } from '../store/support/stores.ts'
import { tempFolder } from '../store/support/temp-folder.ts'

const sessionId = session('s')
const context = { connection: 'window', signal: new AbortController().signal }

it('a text comes back as it was, in UTF-8 and in UTF-16; anything else is told as a fact', async () => {
  const store = await opened(tempFolder())
  const { blob } = changesHandlers({ store })
  const asked = (bytes: Uint8Array) => blob({ sessionId, hash: store.blobs.put(bytes) }, context)
  expect(await asked(Buffer.from('Grüße\r\n'))).toEqual({ kind: 'text', text: 'Grüße\r\n' })
  expect(await asked(Buffer.from('\ufeffGrüße', 'utf16le'))).toEqual({ kind: 'text', text: 'Grüße' })
  expect(await asked(Buffer.from('x'.repeat(40_000)))).toEqual({ kind: 'text', text: 'x'.repeat(40_000) })
  expect(await asked(Buffer.from([0xff, 0x00, 0xc3]))).toEqual({ kind: 'binary', bytes: 3 })
  expect(await asked(Buffer.from('a\0b'))).toEqual({ kind: 'binary', bytes: 3 })
  expect(await blob({ sessionId, hash: BlobHash.parse('0'.repeat(64)) }, context)).toEqual({ kind: 'missing' })
})

it('that a text is too large is told without reading it', async () => {
  const store = await opened(tempFolder())
  const bytes = new Uint8Array(10 * 1024 * 1024 + 1).fill(0x61)
  const hash = store.blobs.put(bytes)
  bytes[0] = 0x62
  writeFileSync(store.blobs.path(hash) ?? '', bytes)
  expect(await changesHandlers({ store }).blob({ sessionId, hash }, context)).toEqual({ kind: 'too_large', bytes: bytes.length })
})
