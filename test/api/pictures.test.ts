import { Buffer } from 'node:buffer'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type BlobHash, type SessionId, ToolCallId } from '../../shared/lib/ids.ts'
import { MAX_PICTURE_BYTES, MAX_PICTURES } from '../../shared/session/content.ts'
import type { SessionState } from '../../shared/session/state.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { png } from '../support/small-pictures.ts'
import { openDesk, type ServedDesk, staying } from './support/served-desk.ts'

const RED = png(2, 2, [255, 0, 0])

async function kept({ client }: ServedDesk, sessionId: SessionId, bytes: Buffer): Promise<BlobHash> {
  const taken = await client.sessions.keepPicture({ sessionId, data: bytes.toString('base64') })
  if (!taken.ok) throw new Error(taken.trouble.what)
  return taken.picture.hash
}

async function snapshot({ client }: ServedDesk, sessionId: SessionId): Promise<SessionState> {
  for await (const item of client.sessions.open({ sessionId, cursor: null }, staying())) if (item.kind === 'snapshot') return item.state
  throw new Error('There was no snapshot.')
}

describe('pictures over the wire', () => {
  it('come back unchanged, even the largest one allowed, which fits into one frame', async () => {
    const desk = await openDesk()
    const sessionId = await desk.session()
    const largest = Buffer.concat([RED, Buffer.alloc(MAX_PICTURE_BYTES - RED.length, 7)])
    const hash = await kept(desk, sessionId, largest)
    const back = await desk.client.sessions.picture({ sessionId, hash })
    expect(back?.mediaType).toBe('image/png')
    expect(Buffer.from(back?.data ?? '', 'base64').equals(largest)).toBe(true)
    expect(desk.bugs).toEqual([])
  })

  it('that are too large, or are not pictures, are refused with a message, and the connection stays open', async () => {
    const desk = await openDesk()
    const sessionId = await desk.session()
    const give = (bytes: Buffer) => desk.client.sessions.keepPicture({ sessionId, data: bytes.toString('base64') })
    expect(await give(Buffer.alloc(MAX_PICTURE_BYTES + 1).fill(RED.subarray(0, 8), 0, 8))).toMatchObject({
      ok: false,
      trouble: { code: 'picture_too_large' },
    })
    expect(await give(Buffer.from('%PDF-1.7'))).toMatchObject({ ok: false, trouble: { code: 'no_picture' } })
    await expect(desk.client.sessions.keepPicture({ sessionId, data: 'no base64!' })).rejects.toThrow('data')
    await expect(give(Buffer.alloc(9_000_000))).rejects.toThrow('larger than 8 MB')
    expect(await kept(desk, sessionId, RED)).toMatch(/^[0-9a-f]{64}$/)
  })

  it('must be stored before they are sent, and a message needs text or a picture', async () => {
    const desk = await openDesk()
    const sessionId = await desk.session()
    const send = (text: string, ...pictures: readonly string[]) =>
      desk.client.sessions.send({ sessionId, inputId: 'i', text, pictures: pictures as BlobHash[], delivery: 'queue' })
    expect(await send('Look', 'a'.repeat(64))).toMatchObject({ ok: false, trouble: { code: 'picture_gone' } })
    await expect(send('')).rejects.toThrow('There is nothing to send.')
    await expect(send('Look', ...Array.from({ length: MAX_PICTURES + 1 }, () => 'a'.repeat(64)))).rejects.toThrow('pictures')
    expect(desk.model.requests).toEqual([])
  })

  it('are still in the ledger after a restart, and can be loaded', async () => {
    const desk = await openDesk([say('Red.')])
    const sessionId = await desk.session('full')
    const hash = await kept(desk, sessionId, RED)
    await desk.client.sessions.send({ sessionId, inputId: 'i', text: '', pictures: [hash], delivery: 'queue' })
    await desk.model.request(0)
    const next = await desk.again()
    const { title, items } = await snapshot(next, sessionId)
    const picture = { kind: 'picture', mediaType: 'image/png', hash, bytes: RED.length }
    expect(title).toBe('A picture')
    expect(items[0]).toMatchObject({ kind: 'user', text: '', pictures: [picture] })
    expect(await next.client.sessions.picture({ sessionId, hash })).toEqual({ mediaType: 'image/png', data: RED.toString('base64') })
  })

  it('from tool results are listed in the ledger, loaded one by one, and included in the HTML export', async () => {
    const desk = await openDesk([calls(call('read_file', { file_path: 'red.png' }, 'r1')), say('Red.')])
    writeFileSync(join(desk.folder, 'red.png'), RED)
    const sessionId = await desk.session('full')
    await desk.client.sessions.send({ sessionId, inputId: 'i', text: 'Look', delivery: 'queue' })
    await desk.model.request(1)
    const { items } = await snapshot(desk, sessionId)
    expect(items[1]).toMatchObject({ kind: 'call', pictures: [{ mediaType: 'image/png', bytes: RED.length }] })
    const ask = (toolCallId: string, index: number) =>
      desk.client.sessions.resultPicture({ sessionId, toolCallId: ToolCallId.parse(toolCallId), index })
    expect(await ask('r1', 0)).toEqual({ mediaType: 'image/png', data: RED.toString('base64') })
    expect([await ask('r1', 1), await ask('none', 0)]).toEqual([null, null])
    const pages: string[] = []
    for await (const item of desk.client.transfer.export({ sessionId, format: 'html' }, staying()))
      if (item.kind === 'piece') pages.push(item.text)
    expect(pages.join('')).toContain(`<img alt="Picture" src="data:image/png;base64,${RED.toString('base64')}">`)
    expect(pages.join('')).toContain("default-src 'none'; style-src 'unsafe-inline'; img-src data:;")
    expect(desk.bugs).toEqual([])
  })
})
