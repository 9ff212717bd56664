import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { serveHost } from '../../main/host-process/far/serve-host.ts'
import { FrameReader, frameOf } from '../../main/host-process/wire/frames.ts'
import { behindMarker } from '../../main/host-process/wire/marker.ts'
import { VERSION } from '../../main/version.ts'

const OPEN = {
  kind: 'open',
  version: VERSION,
  build: 'b',
  folder: '/',
  data: null,
  hidden: [],
  silenceMs: 60_000,
  options: {},
  variables: {},
}

/** Sends these messages to the far half, and ends its input. Returns the reason for its end and what it sent. */
async function served(...messages: readonly (object | Buffer)[]): Promise<{ readonly why: string; readonly sent: readonly object[] }> {
  const input = new PassThrough()
  const output = new PassThrough()
  const sent: object[] = []
  const reader = new FrameReader((json) => sent.push(JSON.parse(json.toString('utf8')) as object))
  output.on(
    'data',
    behindMarker((bytes) => reader.take(bytes)),
  )
  for (const message of messages) input.write(Buffer.isBuffer(message) ? message : frameOf(message))
  input.end()
  const why = await serveHost({ input, output }, 'b', new AbortController().signal)
  return { why, sent }
}

it.each([
  ['garbage', [Buffer.from('GET / HTTP/1.1\r\n\r\n')], 'A message announced'],
  ['an unknown message', [{ kind: 'surprise' }], 'A message was not valid'],
  [
    'a call before the first message',
    [{ kind: 'call', id: 1, on: 0, method: 'stat', args: { path: '/' }, isAborted: false }],
    'A call came too early',
  ],
  ['another version', [{ ...OPEN, version: '9' }], 'belongs to another build'],
  ['another build', [{ ...OPEN, build: 'c' }], 'belongs to another build'],
  ['the end of its input', [], 'The connection was closed'],
])('the far half ends after %s', async (_what, messages, words) => {
  expect((await served(...messages)).why).toContain(words)
})

it('the far half says who it is before anything else', async () => {
  expect((await served()).sent).toEqual([{ kind: 'hello', version: VERSION, build: 'b' }])
})

it.each([
  ['that does not exist', { method: 'format', args: {} }],
  ['without its arguments', { method: 'stat', args: {} }],
  ['with arguments of another type', { method: 'setMode', args: { path: '/tmp', mode: 'all' } }],
])('a call %s ends the connection', async (_what, call) => {
  const input = new PassThrough()
  const output = new PassThrough()
  const reader = new FrameReader((json) => {
    const { kind } = JSON.parse(json.toString('utf8')) as { readonly kind: string }
    if (kind === 'ready') input.write(frameOf({ kind: 'call', id: 1, on: 0, isAborted: false, ...call }))
  })
  output.on(
    'data',
    behindMarker((bytes) => reader.take(bytes)),
  )
  input.write(frameOf(OPEN))
  expect(await serveHost({ input, output }, 'b', new AbortController().signal)).toMatch(/not valid/)
})
