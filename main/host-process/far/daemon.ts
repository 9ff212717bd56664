import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { dirname } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { explained } from '../../environment/environment-failure.ts'
import { createLine, type Line, sayGone } from '../wire/line.ts'
import { MARKER } from '../wire/marker.ts'

/** A connection is lost if nothing is received for this long (ms). */
const SILENCE_MS = 30_000
/** Maximum time in ms for a daemon to start. */
const START_MS = 60_000
const RETRY_MS = 25

/**
 * Connects the standard streams of this process to the daemon behind a socket. If `graceMs` is given, it starts the daemon first, and the
 * daemon keeps running for that many ms without a client. If it is null, the daemon must be running already. If there is none, this tells
 * the other side that the line is gone. The socket is in a folder that only the user can enter; no port is opened.
 */
export async function attachTo(
  socket: string,
  graceMs: string | null,
  self: URL,
  { input, output }: { readonly input: Readable; readonly output: Writable },
): Promise<void> {
  makeSocketFolder(dirname(socket))
  if (graceMs !== null)
    spawn(process.execPath, [fileURLToPath(self), 'daemon', socket, graceMs], { detached: true, stdio: 'ignore' }).unref()
  const connected = await reach(socket, graceMs === null ? 0 : START_MS)
  output.write(MARKER)
  if (connected === null) {
    sayGone(output)
    return
  }
  const { promise, resolve } = Promise.withResolvers<void>()
  input.pipe(connected).pipe(output)
  for (const stream of [input, connected]) for (const event of ['end', 'close', 'error']) stream.on(event, () => resolve())
  await promise
  connected.destroy()
}

function makeSocketFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chmodSync(folder, 0o700)
  } catch (error) {
    throw explained(error, 'make', folder)
  }
}

async function reach(path: string, withinMs: number): Promise<Socket | null> {
  const until = Date.now() + withinMs
  for (;;) {
    const { promise, resolve } = Promise.withResolvers<Socket | null>()
    const socket = connect(path)
    socket.once('connect', () => resolve(socket))
    socket.once('error', () => resolve(null))
    const found = await promise
    if (found !== null || Date.now() >= until) return found
    await delay(RETRY_MS)
  }
}

/**
 * Listens on the socket. The newest client carries the line; the connection of an earlier client is destroyed. Without a client, the line
 * ends after `graceMs`. `close` removes the socket.
 */
export function listenOn(socket: string, graceMs: number): Line & { close(): void } {
  const line = createLine(SILENCE_MS)
  const end = (): void => line.destroy('Nobody came back.')
  let timer = setTimeout(end, graceMs)
  line.onAttached(() => clearTimeout(timer))
  line.onDetached(() => {
    clearTimeout(timer)
    timer = setTimeout(end, graceMs)
  })
  const server = createServer((client) => line.attach({ input: client, output: client, destroy: () => void client.destroy() }))
  server.on('error', end)
  server.listen(socket, () => chmodSync(socket, 0o600))
  return {
    ...line,
    close() {
      clearTimeout(timer)
      server.close()
      rmSync(socket, { force: true })
    },
  }
}
