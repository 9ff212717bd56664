import { writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { terminalsHandlers } from '../../main/api/terminals.ts'
import type { Store } from '../../main/store/store.ts'
import { NO_OWN_TERMINALS } from '../support/no-own-terminals.ts'
import { createTerminals } from '../../main/terminals/terminals.ts'
import type { TerminalItem } from '../../shared/api/terminals.ts'
import { BlobHash, ToolCallId } from '../../shared/lib/ids.ts'
import type { DurableEvent } from '../../shared/session/events.ts'
import { opened, openedInMemory, session } from '../store/support/stores.ts'
import { tempFolder } from '../store/support/temp-folder.ts'

const sessionId = session('s')
const callId = ToolCallId.parse('call')

/** Stores a command from an earlier run of the app, with its call as the log contains it. */
function ran(store: Store, rawBlob: BlobHash | null, call = callId): void {
  const start: DurableEvent = { kind: 'TOOL_CALL_START', toolCallId: call, toolName: 'shell', args: { command: 'make' } }
  const end: DurableEvent = {
    kind: 'TOOL_CALL_END',
    toolCallId: call,
    toolName: 'shell',
    output: '',
    outputBlob: null,
    modelText: null,
    isError: false,
    outcome: 'done',
    durationMs: 5,
    details: { rawBlob, exitCode: 2 },
  }
  store.log(sessionId).append(start, end)
}

async function shown(store: Store, call = callId): Promise<readonly TerminalItem[]> {
  const { attach } = terminalsHandlers({ store, terminals: createTerminals(), ...NO_OWN_TERMINALS })
  const items: TerminalItem[] = []
  const context = { connection: 'window', signal: new AbortController().signal }
  for await (const item of attach({ sessionId, toolCallId: call }, context)) items.push(item)
  return items
}

const replay = (data: string): TerminalItem => ({ kind: 'replay', columns: 120, rows: 30, data, watcher: 'stored' })
const EXIT: TerminalItem = { kind: 'exit', exitCode: 2 }

it.each([
  ['on disk', () => opened(tempFolder())],
  ['in memory', () => openedInMemory()],
])('the output of an ended command, and its exit code, are shown again from a store %s', async (_, open) => {
  const store = await open()
  const long = 'a line\r\n'.repeat(50_000)
  ran(store, store.blobs.put(new TextEncoder().encode('hello\r\n')))
  ran(store, store.blobs.put(new TextEncoder().encode(long)), ToolCallId.parse('long'))
  expect(await shown(store)).toEqual([replay('hello\r\n'), EXIT])
  expect(await shown(store, ToolCallId.parse('long'))).toEqual([replay(long.slice(-256 * 1024)), EXIT])
})

it('the end of a long output is shown without reading the rest of it', async () => {
  const store = await opened(tempFolder())
  const bytes = new TextEncoder().encode('a line\r\n'.repeat(50_000))
  const hash = store.blobs.put(bytes)
  ran(store, hash)
  bytes[0] = 0x62
  writeFileSync(store.blobs.path(hash) ?? '', bytes)
  expect((await shown(store)).at(-1)).toEqual(EXIT)
})

it('the end of a long output never begins inside a character or an escape sequence', async () => {
  const store = await opened(tempFolder())
  for (const [name, across] of [
    ['character', '\u{1F58B}'],
    ['sequence', '\u001b[31m'],
  ] as const) {
    const rest = 'x'.repeat(256 * 1024 - 2)
    const call = ToolCallId.parse(name)
    ran(store, store.blobs.put(new TextEncoder().encode(`before${across}${rest}`)), call)
    expect(await shown(store, call)).toEqual([replay(rest), EXIT])
  }
})

it('the terminal of one call is found without reading the whole log', async () => {
  const store = await opened(tempFolder())
  ran(store, store.blobs.put(new TextEncoder().encode('hello')))
  const forbidden = (): never => {
    throw new Error('the whole log is read')
  }
  expect(await shown({ ...store, eventsAfter: forbidden, log: forbidden })).toEqual([replay('hello'), EXIT])
})

it('there is no terminal for an unknown call, a call that ran on pipes, or a call whose bytes are missing', async () => {
  const store = await opened(tempFolder())
  ran(store, null)
  ran(store, BlobHash.parse('0'.repeat(64)), ToolCallId.parse('gone'))
  for (const call of ['call', 'gone', 'unknown']) expect(await shown(store, ToolCallId.parse(call))).toEqual([{ kind: 'none' }])
})
