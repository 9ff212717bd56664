import { Buffer } from 'node:buffer'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createNullMetaFilter, fetchWithoutNullMeta } from '../../main/mcp/sdk/null-meta.ts'

const TEXT = `${JSON.stringify({ result: { _meta: null, content: [{ text: 'é "_meta":null', _meta: null }], meta: null } })}\n`
const FILTERED = { result: { _meta: {}, content: [{ text: 'é "_meta":null', _meta: {} }], meta: null } }

test.each([1, 2, 3, 7, 50, 1_000])('null for _meta becomes an empty object, in pieces of %i bytes, and nothing else changes', (size) => {
  const filter = createNullMetaFilter()
  const bytes = Buffer.from(TEXT)
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += size) pieces.push(filter(bytes.subarray(at, at + size)))
  expect(JSON.parse(Buffer.concat(pieces).toString())).toEqual(FILTERED)
})

test.each(['application/json', 'text/event-stream'])('an answer over HTTP as %s passes through the filter', async (type) => {
  const server = createServer((_, response) =>
    response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(TEXT) }).end(TEXT),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const answer = await fetchWithoutNullMeta(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  expect(await answer.json()).toEqual(FILTERED)
})
