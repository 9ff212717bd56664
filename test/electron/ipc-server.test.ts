import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Session, WebContents } from 'electron'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openIpcServer } from '../../main/electron/ipc-server.ts'
import { servePage } from '../../main/electron/page/page-protocol.ts'
import type { Disposable } from '../../shared/lib/disposable.ts'
import { IPC_CHANNEL } from '../../shared/wire/ipc-packet.ts'
import { serve } from '../../shared/wire/serve.ts'
import type { Wire } from '../../shared/wire/wire.ts'
import { z } from 'zod'
import { items, stream } from '../../shared/wire/contract.ts'
import { wireConformance } from '../conformance/wire.ts'
import { BrowserWindow, resetFakeElectron, session } from '../support/fake-electron/electron.ts'
import { FakeFrame } from '../support/fake-electron/fake-page.ts'
import { builtPreload, bridgeOf, pageWire, until } from './running-desktop.ts'
import { readAssetTable } from '../../main/http/asset-table.ts'

vi.mock('electron', () => import('../support/fake-electron/electron.ts'))

let preload: Awaited<ReturnType<typeof builtPreload>>
let pageFolder: string
beforeAll(async () => {
  preload = await builtPreload()
  pageFolder = await mkdtemp(join(tmpdir(), 'countersign-page-'))
  await writeFile(join(pageFolder, 'index.html'), '<!doctype html>')
  await writeFile(join(pageFolder, 'asset-list.json'), '["index.html"]')
})
afterAll(async () => {
  await preload.dispose()
  await rm(pageFolder, { recursive: true })
})

interface Opened {
  readonly window: BrowserWindow
  readonly wires: readonly Wire[]
  readonly refused: readonly string[]
  readonly door: Disposable
  nextWire(): Promise<Wire>
}

const PAGE = 'countersign-app://desk/'

async function opened(isOurWindow: (contents: WebContents) => boolean = () => true): Promise<Opened> {
  resetFakeElectron()
  const table = await readAssetTable(pageFolder)
  if (!table.ok) throw new Error('the page should be there')
  servePage(session.defaultSession as unknown as Session, table.value, () => {})
  const wires: Wire[] = []
  const refused: string[] = []
  const door = openIpcServer({ isOurWindow, onWire: (wire) => wires.push(wire), onRefused: (why) => refused.push(why) })
  const window = new BrowserWindow({ webPreferences: { preload: preload.file } })
  await window.loadURL(PAGE)
  let given = 0
  return { window, wires, refused, door, nextWire: () => until(() => wires[given] && wires[given++]) }
}

wireConformance('the IPC wire, with the real preload script', async () => {
  const { window, nextWire, door } = await opened()
  const page = pageWire(window.webContents)
  return {
    page,
    main: await nextWire(),
    dispose: () => {
      page.close()
      door.dispose()
      return Promise.resolve()
    },
  }
})

describe('IPC wire', () => {
  let it0: Opened
  beforeEach(async () => {
    it0 = await opened()
  })
  afterEach(() => it0.door.dispose())

  const closedReason = (wire: Wire): Promise<string> => new Promise((resolve) => wire.onClose(resolve))

  it('a reloaded page gets a new connection, and late messages from the old connection are dropped', async () => {
    const { window, nextWire } = it0
    const earlier = pageWire(window.webContents)
    const first = await nextWire()
    const ended = closedReason(first)
    const oldPage = window.webContents.page
    window.webContents.reload()
    await until(() => (window.webContents.page === oldPage ? null : true))
    const later = pageWire(window.webContents)
    const second = await nextWire()
    expect(await ended).toBe('the window was reloaded')
    const heard: unknown[] = []
    second.onMessage((message) => heard.push(message))
    earlier.send('from the page before')
    later.send('from the page now')
    await until(() => heard[0])
    expect(heard).toEqual(['from the page now'])
  })

  it('a packet for another connection is ignored', async () => {
    const { window, nextWire, refused } = it0
    pageWire(window.webContents)
    const main = await nextWire()
    const heard: unknown[] = []
    main.onMessage((message) => heard.push(message))
    const sends = (packet: unknown): void => window.webContents.sendsFrom(new FakeFrame(PAGE), IPC_CHANNEL, packet)
    sends({ kind: 'message', connection: 'another', body: 'x' })
    sends({ kind: 'close', connection: 'another' })
    expect([heard, refused]).toEqual([[], []])
    let alive = true
    main.onClose(() => {
      alive = false
    })
    expect(alive).toBe(true)
  })

  it.each([
    ['the window is closed', (window: BrowserWindow) => window.destroy()],
    ['the page’s process crashes', (window: BrowserWindow) => window.webContents.falls('crashed')],
  ])('when %s, main’s end of the wire closes, and sending does nothing', async (_, happens) => {
    const { window, nextWire } = it0
    pageWire(window.webContents)
    const main = await nextWire()
    const reason = closedReason(main)
    happens(window)
    main.send('into the void')
    expect(await reason).toBe('the window has gone')
  })

  it('closing the app notifies the page', async () => {
    const page = pageWire(it0.window.webContents)
    await it0.nextWire()
    const reason = closedReason(page)
    it0.door.dispose()
    expect(await reason).toBe('Countersign is ending')
  })

  it('a page that stops reading pauses its stream, and gets all messages once it reads again', async () => {
    const contract = { bulk: { run: stream({ input: z.object({}), item: items<number>() }) } } as const
    const { window, nextWire } = it0
    const bridge = bridgeOf(window.webContents)
    const packets: { kind: string; body?: { kind: string; item?: number } }[] = []
    bridge.onMessage((packet) => packets.push(packet as (typeof packets)[number]))
    bridge.send({ kind: 'open', connection: 'slow' })
    const main = await nextWire()
    let made = 0
    const run = async function* () {
      for (let index = 0; index < 5_000; index++) {
        made++
        yield index
      }
    }
    serve(main, contract, { bulk: { run } }, { connection: 'c', onBug: () => {} })
    bridge.send({ kind: 'message', connection: 'slow', body: { kind: 'listen', id: 1, name: 'bulk.run', input: {} } })
    await until(() => (main.ready?.() ? true : null))
    await new Promise((resolve) => setImmediate(resolve))
    expect(made).toBe(257)
    for (let taken = 0; packets.at(-1)?.body?.kind !== 'end';) {
      const count = packets.length - taken
      if (count > 0) bridge.send({ kind: 'taken', connection: 'slow', count })
      taken += count
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect([made, packets.map(({ body }) => body?.item).filter((item) => item !== undefined)]).toEqual([
      5_000,
      Array.from({ length: 5_000 }, (_, index) => index),
    ])
  })

  it('two windows have two connections', async () => {
    const { window, nextWire } = it0
    const other = new BrowserWindow({ webPreferences: { preload: preload.file } })
    await other.loadURL(PAGE)
    const pages = [pageWire(window.webContents), pageWire(other.webContents)]
    const mains = [await nextWire(), await nextWire()]
    const heard = pages.map((page) => new Promise((resolve) => page.onMessage(resolve)))
    mains.forEach((main, index) => main.send(index))
    expect(await Promise.all(heard)).toEqual([0, 1])
  })
})
