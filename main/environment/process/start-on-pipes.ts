import { spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { outputsOf } from './find-processes.ts'
import { readInPlace } from './read-in-place.ts'
import { attempted, startFailure } from './start-failure.ts'
import type { CommandStart, Exit, StartedCommand } from './started-command.ts'
import { setImmediate as turn } from 'node:timers/promises'

/**
 * Number of bytes after which `untilQuiet` stops waiting. The kernel buffers less than this of the output of a program that has exited, so
 * anything beyond that is from another process.
 */
const MAX_HELD = 1024 * 1024

/**
 * `untilQuiet` ends after this many turns of the event loop in a row brought no bytes. One is not enough, because the first turn may have
 * begun before reading resumed.
 */
const QUIET_TURNS = 2

/**
 * Starts a program on pipes, with empty standard input, in its own process group. Rejects with a coded failure if it cannot be started.
 */
export async function startOnPipes({ file, args, verbatim = false, cwd, env, onBytes }: CommandStart): Promise<StartedCommand> {
  const tried = attempted(() =>
    spawn(file, args, {
      cwd,
      env,
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
      windowsVerbatimArguments: verbatim,
    }),
  )
  if (!tried.ok) throw await startFailure(tried.failure, file, cwd)
  const child = tried.value
  // The program's outputs are recorded before it opens other files. A process that has these outputs open later was started by the program.
  const outputs = child.pid === undefined ? [] : outputsOf(child.pid)
  const exit = Promise.withResolvers<Exit>()
  child.once('exit', (exitCode, signal) => exit.resolve({ exitCode, signal }))
  const started = Promise.withResolvers<number>()
  child.once('spawn', () => started.resolve(child.pid ?? 0))
  child.once('error', (error) => started.reject(error))
  const streams = [
    readInPlace(child.stdout as Socket, (bytes) => onBytes('stdout', bytes)),
    readInPlace(child.stderr as Socket, (bytes) => onBytes('stderr', bytes)),
  ]
  const drained = Promise.all(streams.map(ended))
  try {
    await started.promise
  } catch (error) {
    throw await startFailure(error, file, cwd)
  }
  let mayPause = true
  const resume = (): void => streams.forEach((stream) => stream.resume())
  return {
    pid: child.pid ?? 0,
    outputs,
    exit: exit.promise,
    drained: drained.then(() => {}),
    pause: () => {
      if (mayPause) for (const stream of streams) stream.pause()
    },
    resume,
    flush: () => {
      mayPause = false
      resume()
    },
    async close() {
      if (!streams.every((stream) => stream.readableEnded)) await untilQuiet(streams)
      for (const stream of streams) stream.destroy()
    },
  }
}

function ended(stream: Socket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  stream.once('end', resolve)
  stream.once('close', resolve)
  stream.on('error', () => resolve())
  return promise
}

/**
 * Resolves when all available data of the streams has been delivered: complete turns of the event loop brought no more data. Does not
 * depend on time, so a process that was busy loses nothing. The streams must be flowing.
 */
export async function untilQuiet(streams: readonly Socket[]): Promise<void> {
  const bytesRead = (): number => streams.reduce((sum, stream) => sum + stream.bytesRead, 0)
  const begin = bytesRead()
  let before = begin
  for (let quiet = 0; quiet < QUIET_TURNS && before - begin < MAX_HELD;) {
    await turn()
    const now = bytesRead()
    quiet = now === before ? quiet + 1 : 0
    before = now
  }
}
