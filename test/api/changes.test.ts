import { writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { changesHandlers } from '../../main/api/changes.ts'
import { BlobHash, ToolCallId } from '../../shared/lib/ids.ts'
import type { DurableEvent } from '../../shared/session/events.ts'
import type { FileChange } from '../../shared/session/file-change.ts'
import { emptySession, foldAll } from '../../shared/session/fold/fold.ts'
import { changedFiles } from '../../shared/session/fold/changed-files.ts'
import { input, opened, session } from '../store/support/stores.ts'
import { tempFolder } from '../store/support/temp-folder.ts'

const sessionId = session('s')
/** Stands in for the sessions in tests that only read the store. */
const NO_SESSIONS = { open: () => Promise.reject(new Error('No session is needed.')) }
const context = { connection: 'window', signal: new AbortController().signal }

it('UTF-8 and UTF-16 files are shown as text, and other files are only described', async () => {
  const store = await opened(tempFolder())
  const { blob } = changesHandlers({ store, sessions: NO_SESSIONS })
  const asked = (bytes: Uint8Array) => blob({ sessionId, hash: store.blobs.put(bytes) }, context)
  expect(await asked(Buffer.from('Grüße\r\n'))).toEqual({ kind: 'text', text: 'Grüße\r\n' })
  expect(await asked(Buffer.from('\ufeffGrüße', 'utf16le'))).toEqual({ kind: 'text', text: 'Grüße' })
  expect(await asked(Buffer.from('x'.repeat(40_000)))).toEqual({ kind: 'text', text: 'x'.repeat(40_000) })
  expect(await asked(Buffer.from([0xff, 0x00, 0xc3]))).toEqual({ kind: 'binary', bytes: 3 })
  expect(await asked(Buffer.from('a\0b'))).toEqual({ kind: 'binary', bytes: 3 })
  expect(await blob({ sessionId, hash: BlobHash.parse('0'.repeat(64)) }, context)).toEqual({ kind: 'missing' })
})

it('a file that is too large is reported without being read', async () => {
  const store = await opened(tempFolder())
  const bytes = new Uint8Array(10 * 1024 * 1024 + 1).fill(0x61)
  const hash = store.blobs.put(bytes)
  bytes[0] = 0x62
  writeFileSync(store.blobs.path(hash) ?? '', bytes)
  expect(await changesHandlers({ store, sessions: NO_SESSIONS }).blob({ sessionId, hash }, context)).toEqual({
    kind: 'too_large',
    bytes: bytes.length,
  })
})

const change = (path: string, before: string | null, after: string | null): FileChange => ({
  path: `/project/${path}`,
  shown: path,
  before: before === null ? null : BlobHash.parse(before.repeat(64)),
  after: after === null ? null : BlobHash.parse(after.repeat(64)),
  beforeBytes: 1,
  afterBytes: 1,
  beforeMode: 0o644,
  afterMode: 0o644,
  lines: null,
})

/** Returns two calls of one answer. The first call ends last. */
function twoCalls(round: number): readonly [DurableEvent, ...DurableEvent[]] {
  const first = ToolCallId.parse(`${round}a`)
  const second = ToolCallId.parse(`${round}b`)
  const start = (toolCallId: ToolCallId): DurableEvent => ({ kind: 'TOOL_CALL_START', toolCallId, toolName: 'write_file', args: {} })
  return [
    input(`round ${round}`),
    start(first),
    start(second),
    { kind: 'FILES_CHANGED', toolCallId: second, files: [change(`b${round}`, null, 'b')] },
    {
      kind: 'FILES_CHANGED',
      toolCallId: first,
      files: [change('a', `${round}`, `${round + 1}`), change('same', '1', round === 2 ? '1' : '2')],
    },
  ]
}

it('the list of changed files is complete, and is made without reading the session’s whole log', async () => {
  const store = await opened(tempFolder())
  for (const round of [0, 1, 2]) store.log(sessionId).append(...twoCalls(round))
  const whole = changedFiles(foldAll(emptySession(sessionId), store.log(sessionId).read()).items)
  expect(whole.map(({ shown, steps }) => [shown, steps])).toEqual([
    ['a', [1, 3, 5]],
    ['b0', [2]],
    ['b1', [4]],
    ['b2', [6]],
  ])
  const { list } = changesHandlers({ store: { ...store, eventsAfter: forbidden, log: forbidden }, sessions: NO_SESSIONS })
  expect(await list({ sessionId }, context)).toEqual({ files: whole, subagents: [] })
  expect(await list({ sessionId: session('unknown') }, context)).toEqual({ files: [], subagents: [] })
})

function forbidden(): never {
  throw new Error('the whole log is read')
}
