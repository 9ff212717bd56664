import { type IpcMainEvent, type WebContents, ipcMain } from 'electron'
import { disposable, type Disposable } from '../../shared/lib/disposable.ts'
import { Emitter } from '../../shared/lib/emitter.ts'
import { IPC_CHANNEL, type MainPacket, PagePacket } from '../../shared/wire/ipc-packet.ts'
import { WireEnd } from '../../shared/wire/wire-end.ts'
import type { Wire } from '../../shared/wire/wire.ts'
import { isOurPage } from './page/page-origin.ts'

/** Streams pause when a page has more unread messages than this, and resume below half of it. */
const ENOUGH_MESSAGES = 256

export interface IpcDoorParts {
  /** Whether these are the contents of one of Countersign's windows. */
  readonly isOurWindow: (contents: WebContents) => boolean
  readonly onWire: (wire: Wire) => void
  /** Called with the reason when a message is refused. */
  readonly onRefused: (why: string) => void
}

/**
 * Listens on the only channel. A message is accepted only from the main frame of Countersign's page in one of its windows, and only if it
 * is a valid packet. Anything else is refused and reported. A window has one connection at a time: a reloaded page ends the previous
 * connection.
 */
export function openIpcServer(parts: IpcDoorParts): Disposable {
  const ends = new Map<number, PageEnd>()

  const begin = (contents: WebContents, connection: string): void => {
    ends.get(contents.id)?.end('the window was reloaded')
    const end = new PageEnd(contents, connection)
    ends.set(contents.id, end)
    end.onClose(() => {
      if (ends.get(contents.id) === end) ends.delete(contents.id)
    })
    const gone = (): void => end.end('the window has gone')
    contents.once('destroyed', gone)
    contents.once('render-process-gone', gone)
    end.onClose(() => {
      contents.off('destroyed', gone)
      contents.off('render-process-gone', gone)
    })
    parts.onWire(end)
  }

  const receive = (event: IpcMainEvent, sent: unknown): void => {
    const why = refusalOf(event, parts.isOurWindow)
    if (why) return parts.onRefused(why)
    const packet = PagePacket.safeParse(sent)
    if (!packet.success) return parts.onRefused('a message is not a valid packet')
    const { kind, connection } = packet.data
    if (kind === 'open') return begin(event.sender, connection)
    const end = ends.get(event.sender.id)
    // A message from a page that was replaced by a reload may arrive late.
    if (end?.connection === connection) end.receive(packet.data)
  }

  ipcMain.on(IPC_CHANNEL, receive)
  return disposable(() => {
    ipcMain.off(IPC_CHANNEL, receive)
    for (const end of [...ends.values()]) end.close('Countersign is ending')
  })
}

function refusalOf({ sender, senderFrame }: IpcMainEvent, isOurWindow: (contents: WebContents) => boolean): string | null {
  if (!senderFrame || senderFrame.detached) return 'a message comes from a frame that no longer exists'
  if (senderFrame.parent !== null) return 'a message comes from a frame within a page'
  if (!isOurPage(senderFrame.url)) return 'a message comes from a page that is not ours'
  return isOurWindow(sender) ? null : 'a message comes from a window that is not ours'
}

/** The main process's end of the connection to one page. */
class PageEnd extends WireEnd implements Wire {
  readonly connection: string
  readonly #contents: WebContents
  readonly #messages = new Emitter<unknown>()
  #untaken = 0
  #waiting: { readonly promise: Promise<void>; readonly resolve: () => void } | null = null

  constructor(contents: WebContents, connection: string) {
    super()
    this.#contents = contents
    this.connection = connection
  }

  readonly onMessage = this.#messages.event

  send(body: unknown): void {
    if (this.reason !== null) return
    this.#post({ kind: 'message', connection: this.connection, body })
    this.#untaken++
  }

  ready(): Promise<void> | null {
    if (this.reason !== null || this.#untaken <= ENOUGH_MESSAGES) return null
    this.#waiting ??= Promise.withResolvers<void>()
    return this.#waiting.promise
  }

  close(reason = 'closed by the app'): void {
    if (this.reason !== null) return
    this.#post({ kind: 'close', connection: this.connection, reason })
    this.end(reason)
  }

  receive(packet: Exclude<PagePacket, { kind: 'open' }>): void {
    if (packet.kind === 'message') return this.#messages.fire(packet.body)
    if (packet.kind === 'close') return this.end('closed by the window')
    this.#untaken = Math.max(0, this.#untaken - packet.count)
    if (this.#untaken < ENOUGH_MESSAGES / 2) this.#letGo()
  }

  /** Ends the connection without informing the page, which is gone or was reloaded. */
  override end(reason: string): void {
    this.#letGo()
    super.end(reason)
  }

  #letGo(): void {
    this.#waiting?.resolve()
    this.#waiting = null
  }

  #post(packet: MainPacket): void {
    if (!this.#contents.isDestroyed()) this.#contents.send(IPC_CHANNEL, packet)
  }
}
