import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, sep } from 'node:path'
import { Readable } from 'node:stream'
import type { IPty } from 'node-pty'
import { codeOf } from '../environment-failure.ts'
import type { PtyCommand, PtyHost } from './pty-host.ts'
import { mustBeFolder, startFailure } from './start-failure.ts'
import type { Exit } from './started-command.ts'
import { ptyStarterIsRunnable } from './pty-starter.ts'
import { untilQuiet } from './until-quiet.ts'

/** Null where node-pty was not built or cannot start programs: commands then run on pipes. */
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

/** A packed app keeps native modules beside its archive. */
function packageFolder(): string {
  const manifest = createRequire(import.meta.url).resolve('node-pty/package.json')
  return dirname(manifest).replace(`app.asar${sep}`, `app.asar.unpacked${sep}`)
}

function follow(pty: IPty, onBytes: (stream: 'stdout', bytes: Buffer) => void): PtyCommand {
  const exit = Promise.withResolvers<Exit>()
  let hasEnded = false
  let mayPause = true
  closeWhenRead(pty, () => (mayPause = false))
  // Without an encoding the data are Buffers, whatever the types say.
  pty.onData((data: string | Buffer) => onBytes('stdout', Buffer.isBuffer(data) ? data : Buffer.from(data)))
  pty.onExit(({ exitCode, signal }) => {
    hasEnded = true
    exit.resolve(signal ? { exitCode: null, signal: nameOf(signal) } : { exitCode, signal: null })
  })
  const whileItLives = (work: () => void): void => {
    if (!hasEnded) ignoringDeadTerminal(work)
  }
  const resume = (): void => whileItLives(() => pty.resume())
  return {
    pid: pty.pid,
    exit: exit.promise,
    // Its exit is told when the terminal has been read out.
    drained: exit.promise.then(() => {}),
    pause: () =>
      whileItLives(() => {
        if (mayPause) pty.pause()
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

/**
 * node-pty destroys an ended command's terminal 200 ms after its end, read out or not: what was paused, or could not be read because this
 * process was held up, is lost, all that the kernel still has. So the last step is put off until all of it was read. node-pty has no event
 * for that; the stream is a field of its own (1.1). Without it nothing changes.
 */
function closeWhenRead(pty: IPty, onReading: () => void): void {
  const stream: unknown = Reflect.get(pty, '_socket')
  if (!(stream instanceof Readable)) return
  const destroy = stream.destroy.bind(stream)
  stream.destroy = (error) => {
    if (error) return destroy(error)
    onReading()
    stream.resume()
    void untilQuiet([stream]).then(() => destroy())
    return stream
  }
}

/** Between the end of a program and the news of it, its terminal is gone. */
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
