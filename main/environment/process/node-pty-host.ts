import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, sep, join } from 'node:path'
import { Socket } from 'node:net'
import { ReadStream } from 'node:tty'
import { setTimeout as delay } from 'node:timers/promises'
import type { IPty } from 'node-pty'
import { codeOf } from '../environment-failure.ts'
import { readInPlace } from './read-in-place.ts'
import type { PtyCommand, PtyHost, Exit } from './started-command.ts'
import { mustBeFolder, startFailure } from './start-failure.ts'
import { untilQuiet } from './start-on-pipes.ts'
import { chmod, stat } from 'node:fs/promises'

/** Null if node-pty was not built or cannot start programs. In that case commands run on pipes. */
export async function loadNodePtyHost(): Promise<PtyHost | null> {
  const nodePty = await import('node-pty').catch(() => null)
  if (!nodePty || !(await ptyStarterIsRunnable(packageFolder()))) return null
  return {
    async open({ file, args, verbatim, cwd, env, columns, rows, onBytes }) {
      await mustBeFolder(cwd)
      const decodesNothing = { encoding: null }
      try {
        const pty = nodePty.spawn(file, verbatim ? args.join(' ') : args, {
          cwd,
          env,
          cols: columns,
          rows,
          name: 'xterm-256color',
          ...decodesNothing,
        })
        return follow(pty, onBytes)
      } catch (error) {
        throw await startFailure(error, file, cwd)
      }
    },
  }
}

/** A packaged app keeps native modules next to its archive. */
function packageFolder(): string {
  const manifest = createRequire(import.meta.url).resolve('node-pty/package.json')
  return dirname(manifest).replace(`app.asar${sep}`, `app.asar.unpacked${sep}`)
}

function follow(pty: IPty, onBytes: (stream: 'stdout', bytes: Buffer) => void): PtyCommand {
  const exit = Promise.withResolvers<Exit>()
  let hasEnded = false
  let mayPause = true
  const stream = readPty(
    pty,
    (bytes) => onBytes('stdout', bytes),
    () => (mayPause = false),
  )
  pty.onExit(({ exitCode, signal }) => {
    hasEnded = true
    exit.resolve(signal ? { exitCode: null, signal: nameOf(signal) } : { exitCode, signal: null })
  })
  const whileItLives = (work: () => void): void => {
    if (!hasEnded) ignoringDeadTerminal(work)
  }
  const resume = (): void => whileItLives(() => void stream.resume())
  return {
    pid: pty.pid,
    exit: exit.promise,
    // The exit is reported only after the terminal has been read to its end.
    drained: exit.promise.then(() => {}),
    pause: () =>
      whileItLives(() => {
        if (mayPause) stream.pause()
      }),
    resume,
    flush: () => {
      mayPause = false
      resume()
    },
    close: () => Promise.resolve(),
    write: (data) => whileItLives(() => pty.write(data)),
    resize: (columns, rows) => whileItLives(() => pty.resize(columns, rows)),
  }
}

interface Pausable {
  pause(): unknown
  resume(): unknown
}

/**
 * Reads a command's terminal into one block of memory, and returns the stream to pause and resume. node-pty has no API for this, so its
 * private stream field (1.1) is used. If that is not a terminal stream, as on Windows, node-pty reads.
 */
function readPty(pty: IPty, onBytes: (bytes: Buffer) => void, onReading: () => void): Pausable {
  const stream: unknown = Reflect.get(pty, '_socket')
  if (stream instanceof ReadStream) {
    const reader = readInPlace(stream, onBytes)
    closeWhenRead(pty.pid, stream, reader, onReading)
    return reader
  }
  // Without an encoding, the data is a Buffer, contrary to the types.
  pty.onData((data: string | Buffer) => onBytes(Buffer.isBuffer(data) ? data : Buffer.from(data)))
  if (stream instanceof Socket) closeWhenRead(pty.pid, stream, stream, onReading)
  return pty
}

/**
 * node-pty destroys a command's terminal 200 ms after the command's end, even if output is still unread because reading was paused or
 * this process was busy. This function delays the destruction until everything has been read. A program may also close its terminal
 * before it ends, as `touch` does. It would be killed by SIGHUP if the terminal were destroyed at once, so the destruction also waits for
 * the program's end. node-pty has no event for either. `reader` reads the terminal in place of `stream`.
 */
function closeWhenRead(pid: number, stream: Socket, reader: Socket, onReading: () => void): void {
  const ends = [reader, ...(stream === reader ? [] : [stream])].map((each) => each.destroy.bind(each))
  const destroy = (error?: Error): void => ends.forEach((end) => end(error))
  // node-pty reports the error, or ignores it if it only says that the program has ended.
  if (stream !== reader) reader.on('error', () => {})
  stream.destroy = reader.destroy = (error?: Error) => {
    if (error) {
      void untilGone(pid).then(() => destroy(error))
      return reader
    }
    onReading()
    reader.resume()
    void untilQuiet([reader]).then(() => destroy())
    return reader
  }
}

/** How often to check whether a process has ended, in ms: the first and the longest interval. */
const LOOK_MS = 2
const SELDOM_MS = 50

async function untilGone(pid: number): Promise<void> {
  for (let ms = LOOK_MS; isAlive(pid); ms = Math.min(2 * ms, SELDOM_MS)) await delay(ms)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** Ignores errors between the end of a program and its exit event, when its terminal no longer exists. */
function ignoringDeadTerminal(work: () => void): void {
  try {
    work()
  } catch (error) {
    const gone = ['EBADF', 'EIO', 'ENOTTY'].includes(codeOf(error) ?? '') || (error instanceof Error && /ioctl|EBADF/.test(error.message))
    if (!gone) throw error
  }
}

function nameOf(signal: number): string {
  const found = Object.entries(constants.signals).find(([, number]) => number === signal)
  return found ? found[0] : `signal ${signal}`
}

/**
 * Makes sure that node-pty can start programs. Its macOS package contains a helper that is not executable, and this function makes it
 * executable. False if that failed, for example because another user installed the packages. `folder`: node-pty's package.
 */
export async function ptyStarterIsRunnable(
  folder: string,
  platform: string = process.platform,
  arch: string = process.arch,
): Promise<boolean> {
  if (platform !== 'darwin') return true
  for (const place of [join('build', 'Release'), join('prebuilds', `${platform}-${arch}`)]) {
    const helper = join(folder, place, 'spawn-helper')
    const found = await stat(helper).catch(() => null)
    if (found === null) continue
    return (
      (found.mode & 0o111) !== 0 ||
      chmod(helper, 0o755).then(
        () => true,
        () => false,
      )
    )
  }
  return true
}
