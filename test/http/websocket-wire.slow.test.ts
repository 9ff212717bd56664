import { type Socket, connect as connectTcp, createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { WebSocket } from 'ws'
import { items, stream } from '../../shared/wire/contract.ts'
import { MAX_FRAME_BYTES } from '../../shared/wire/frames.ts'
import { serve } from '../../shared/wire/serve.ts'
import { z } from 'zod'
import { wireConformance } from '../conformance/wire.ts'
import { Bench, benchContract } from '../conformance/wire-bench.ts'
import { BrowserLike } from './page-like.ts'
import { type RunningShell, runningShell } from './shell-on-a-page.ts'

wireConformance('the WebSocket wire, with a real socket', async () => {
  const running = await runningShell()
  const [page, main] = await Promise.all([new BrowserLike(running.port).wire(running.fragment()), running.nextWire()])
  return { page, main, dispose: () => running.stop() }
})

describe('WebSocket wire', () => {
  let running: RunningShell
  beforeEach(async () => {
    running = await runningShell()
  })
  afterEach(() => running.stop())

  const welcomed = async (): Promise<WebSocket> => {
    const browser = new BrowserLike(running.port)
    const token = await browser.signIn(running.fragment())
    const socket = browser.socket()
    await event(socket, 'open')
    const welcome = event(socket, 'message')
    socket.send(JSON.stringify({ kind: 'hello', token }))
    await welcome
    return socket
  }

  it('a raw frame above 8 MB closes the connection with 1009, and the server keeps running', async () => {
    const socket = await welcomed()
    const main = await running.nextWire()
    const reason = new Promise<string>((resolve) => main.onClose(resolve))
    const closed = event(socket, 'close')
    socket.send('x'.repeat(MAX_FRAME_BYTES + 1))
    expect([(await closed)[0], await reason]).toEqual([1009, 'the connection failed: Max payload size exceeded'])
    expect((await welcomed()).readyState).toBe(1)
  })

  it.each([
    ['text that is not JSON', 'hello'],
    ['empty text', ''],
    ['an incomplete frame', '{"kind":"call","id":1'],
    ['binary data', Buffer.from([1, 2, 3])],
    ['a million brackets', '['.repeat(1_000_000)],
  ])('%s gets the error “malformed”, and the connection stays open', async (_, data) => {
    const socket = await welcomed()
    serve(await running.nextWire(), benchContract, new Bench().handlers, { connection: 'c', onBug: () => {} })
    const answer = event(socket, 'message')
    socket.send(data)
    expect(JSON.parse(String((await answer)[0]))).toMatchObject({ kind: 'fail', id: null, code: 'malformed' })
    const next = event(socket, 'message')
    socket.send(JSON.stringify({ kind: 'call', id: 5, name: 'bench.later', input: { index: 1, turns: 0 } }))
    expect(JSON.parse(String((await next)[0]))).toEqual({ kind: 'ok', id: 5, output: 1 })
  })

  it('a page that stops reading pauses its stream, and gets the rest of the stream once it reads again', async () => {
    const contract = {
      bulk: { run: stream({ input: z.object({}), item: items<{ readonly index: number; readonly pad: string }>() }) },
    } as const
    const total = 4_000
    const pad = 'x'.repeat(64 * 1024)
    let made = 0
    const source = async function* () {
      for (let index = 0; index < total; index++) {
        made++
        yield { index, pad }
      }
    }
    const tunnel = await slowTunnel(running.port)
    const browser = new BrowserLike(running.port)
    const token = await browser.signIn(running.fragment())
    const socket = new BrowserLike(tunnel.port, `127.0.0.1:${tunnel.port}`).socket()
    await event(socket, 'open')
    socket.send(JSON.stringify({ kind: 'hello', token }))
    const main = await running.nextWire()
    serve(main, contract, { bulk: { run: source } }, { connection: 'c', onBug: () => {} })
    tunnel.stopReading()
    socket.send(JSON.stringify({ kind: 'listen', id: 1, name: 'bulk.run', input: {} }))
    await waitingFor(main)
    const whileStopped = made
    await settled(() => made)
    expect(made).toBe(whileStopped)
    // The client requested 250 MB, but the server produced only what fits into the sockets' own buffers and one megabyte of our buffer.
    expect(made * pad.length).toBeLessThan(32 * 1024 * 1024)
    let seen = 0
    const all = new Promise<void>((resolve) => {
      socket.on('message', (data: Buffer) => {
        const frame = JSON.parse(data.toString()) as { kind: string; item?: { index: number } }
        if (frame.kind === 'item' && frame.item?.index === seen) seen++
        if (frame.kind === 'end') resolve()
      })
    })
    tunnel.goOn()
    await all
    expect([seen, made]).toEqual([total, total])
    tunnel.stop()
  })

  it('a page that never reads is disconnected when more than 64 MB wait for it', async () => {
    const tunnel = await slowTunnel(running.port)
    const browser = new BrowserLike(running.port)
    const token = await browser.signIn(running.fragment())
    const socket = new BrowserLike(tunnel.port, `127.0.0.1:${tunnel.port}`).socket()
    socket.on('error', () => {})
    await event(socket, 'open')
    socket.send(JSON.stringify({ kind: 'hello', token }))
    const main = await running.nextWire()
    const reason = new Promise<string>((resolve) => main.onClose(resolve))
    tunnel.stopReading()
    const answer = 'x'.repeat(1024 * 1024)
    for (let sent = 0; sent < 200; sent++) main.send(answer)
    expect(await reason).toBe('the page is too slow: more than 64 MB were waiting for it')
    tunnel.stop()
  })

  it('the app’s reason for closing reaches the page, cut to the length of a close frame', async () => {
    const browser = new BrowserLike(running.port)
    const page = await browser.wire(running.fragment())
    const reason = new Promise<string>((resolve) => page.onClose(resolve))
    ;(await running.nextWire()).close(`Ende – ${'ü'.repeat(200)}`)
    expect(await reason).toMatch(/^Ende – ü{40,60}$/)
  })
})

function event(socket: WebSocket, name: 'open' | 'message' | 'close'): Promise<readonly unknown[]> {
  return new Promise((resolve, reject) => {
    socket.once(name, (...args: unknown[]) => resolve(args))
    if (name !== 'close') socket.once('error', reject)
  })
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

async function waitingFor(wire: { ready?(): Promise<void> | null }): Promise<void> {
  while ((wire.ready?.() ?? null) === null) await turn()
}

/** Resolves when a number has not changed for 2,000 turns of the event loop. */
async function settled(read: () => number): Promise<void> {
  for (let same = 0, last = read(); same < 2_000; same = read() === last ? same + 1 : 0) {
    last = read()
    await turn()
  }
}

/** A tunnel that passes bytes on to the server. It can stop reading the server's answers, as a page that hangs would. */
async function slowTunnel(target: number) {
  const inner: Socket[] = []
  const server = createServer((outer) => {
    const own = connectTcp(target, '127.0.0.1')
    inner.push(own)
    own.on('error', () => outer.destroy())
    outer.on('error', () => own.destroy())
    own.on('close', () => outer.destroy())
    outer.on('close', () => own.destroy())
    own.on('data', (chunk) => {
      if (!outer.write(chunk)) own.pause()
    })
    outer.on('drain', () => own.resume())
    outer.on('data', (chunk) => own.write(chunk))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as { port: number }).port,
    stopReading: () => inner.forEach((socket) => socket.pause()),
    goOn: () => inner.forEach((socket) => socket.resume()),
    stop: () => {
      inner.forEach((socket) => socket.destroy())
      server.close()
    },
  }
}
