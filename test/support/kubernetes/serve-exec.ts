import type { ChildProcess } from 'node:child_process'
import type { WebSocket } from 'ws'

const STDIN = 0
const STDOUT = 1
const STDERR = 2
const STATUS = 3
const CLOSE = 255

/** Carries the streams of a program over a WebSocket, as an API server does for `exec` (`v5.channel.k8s.io`). */
export function serveExec(socket: WebSocket, child: ChildProcess): void {
  const frame = (channel: number, data: Uint8Array): void => socket.send(Buffer.concat([Buffer.from([channel]), data]))
  const pass = (channel: number, stream: NodeJS.ReadableStream | null): void => {
    stream?.on('data', (data: Buffer) => {
      frame(channel, data)
      if (socket.bufferedAmount < 1024 ** 2) return
      stream.pause()
      const timer = setInterval(() => {
        if (socket.bufferedAmount > 256 * 1024) return
        clearInterval(timer)
        stream.resume()
      }, 5)
    })
  }
  pass(STDOUT, child.stdout)
  pass(STDERR, child.stderr)
  child.stdin?.on('error', () => {})
  socket.on('message', (data: Buffer) => {
    if (data[0] === STDIN) child.stdin?.write(data.subarray(1))
    else if (data[0] === CLOSE && data[1] === STDIN) child.stdin?.end()
  })
  child.on('close', (code) => {
    frame(STATUS, Buffer.from(JSON.stringify(statusOf(code ?? 137))))
    socket.close(1000)
  })
  // A kubelet leaves the program running when the connection breaks; only its input ends.
  socket.on('close', () => child.stdin?.end())
}

const statusOf = (code: number) =>
  code === 0
    ? { metadata: {}, status: 'Success' }
    : {
        metadata: {},
        status: 'Failure',
        reason: 'NonZeroExitCode',
        message: `command terminated with exit code ${code}`,
        details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
      }
