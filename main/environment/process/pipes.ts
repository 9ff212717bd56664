import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { outputsOf } from './process-scan.ts'
import { attempted, startFailure } from './start-failure.ts'
import type { CommandStart, Exit, StartedCommand } from './started-command.ts'
import { untilQuiet } from './until-quiet.ts'

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
  // Read before the program opens other files: processes that still have these open later were started by it.
  const outputs = child.pid === undefined ? [] : outputsOf(child.pid)
  const exit = Promise.withResolvers<Exit>()
  child.once('exit', (exitCode, signal) => exit.resolve({ exitCode, signal }))
  const started = Promise.withResolvers<number>()
  child.once('spawn', () => started.resolve(child.pid ?? 0))
  child.once('error', (error) => started.reject(error))
  const streams = [child.stdout, child.stderr]
  const drained = Promise.all(streams.map(ended))
  child.stdout.on('data', (bytes: Buffer) => onBytes('stdout', bytes))
  child.stderr.on('data', (bytes: Buffer) => onBytes('stderr', bytes))
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

function ended(stream: Readable): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  stream.once('end', resolve)
  stream.once('close', resolve)
  stream.on('error', () => resolve())
  return promise
}
