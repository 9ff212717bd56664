import { afterEach, expect, test } from 'vitest'
import { call, calls, gate, httpError, refusingUrl, say, type ScriptedModel, startScriptedModel } from './scripted-model.ts'

let model: ScriptedModel | null = null
afterEach(async () => {
  await model?.close()
  model = null
})

const post = (url: string, messages: readonly unknown[] = [], signal: AbortSignal | null = null) =>
  fetch(`${url}/v1/messages`, { method: 'POST', body: JSON.stringify({ model: 'm', messages }), signal })

const kinds = (sse: string): readonly string[] => [...sse.matchAll(/^event: (.*)$/gm)].map((match) => match[1] ?? '')

test('a scripted answer arrives as the frames of an Anthropic stream', async () => {
  model = await startScriptedModel([say('Good day')])
  const response = await post(model.url)
  const body = await response.text()
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(kinds(body)).toEqual([
    'message_start',
    'content_block_start',
    'content_block_delta',
    'content_block_delta',
    'content_block_stop',
    'message_delta',
    'message_stop',
  ])
  expect(body).toContain('"stop_reason":"end_turn"')
})

test('call ids depend only on the length of the conversation, so that a resumed conversation gets the same ids', async () => {
  model = await startScriptedModel(() => calls(call('read_file', { file_path: 'a' })))
  const first = await (await post(model.url, [{}])).text()
  const again = await (await post(model.url, [{}])).text()
  const later = await (await post(model.url, [{}, {}, {}])).text()
  expect(first).toContain('"id":"toolu_1_0"')
  expect(again).toBe(first)
  expect(later).toContain('"id":"toolu_3_0"')
})

test('an answer can be held back until the test releases it, and the request is visible before the release', async () => {
  const { opened, open } = gate()
  model = await startScriptedModel([say('late', { delivery: { hold: opened } })])
  const answer = post(model.url, [{ role: 'user', content: 'hello' }])
  const request = await model.request(0)
  expect(request.body.messages).toEqual([{ role: 'user', content: 'hello' }])
  open()
  expect((await answer).status).toBe(200)
  expect(await request.ended).toBe('sent')
})

test('an answer that is cut ends exactly at the given byte', async () => {
  model = await startScriptedModel([say('never whole', { delivery: { stops: [{ at: 40, next: 'end' }] } })])
  expect((await (await post(model.url)).arrayBuffer()).byteLength).toBe(40)
})

test('a stalled answer ends when the client disconnects', async () => {
  const leave = new AbortController()
  model = await startScriptedModel([say('stalls', { delivery: { stops: [{ at: 10, next: 'stall' }] } })])
  const response = await post(model.url, [], leave.signal)
  const request = await model.request(0)
  leave.abort()
  expect(await request.ended).toBe('closed')
  await expect(response.text()).rejects.toThrow()
})

test('a request after the end of the script gets an error that says it is one too many', async () => {
  model = await startScriptedModel([httpError(429, 'rate_limit_error', 'slow down', { 'retry-after': '2' })])
  const limited = await post(model.url)
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '2'])
  const beyond = await post(model.url)
  expect(beyond.status).toBe(500)
  expect(await beyond.text()).toContain('request 1 is one too many')
})

test('a request to a refusing URL fails, because no server listens there', async () => {
  await expect(post(await refusingUrl())).rejects.toThrow('fetch failed')
})
