import { constants } from 'node:os'
import type { IPty } from 'node-pty'
import { codeOf } from '../environment-failure.ts'
import type { PtyCommand, PtyHost } from './pty-host.ts'
import { mustBeFolder, startFailure } from './start-failure.ts'
import type { Exit } from './started-command.ts'

/**
 * node-pty gives an ended command's terminal 200 ms to be read out, also while it is paused. So while it is paused, its end is looked
 * for this often (ms), and reading goes on then: what the kernel holds, at most some KB, is read in time.
 */
const LOOK_WHILE_PAUSED_MS = 50

/** Null where node-pty was not built: commands then run on pipes. */
export async function loadNodePtyHost(): Promise<PtyHost | null> {
  const nodePty = await import('node-pty').catch(() => null)
  if (!nodePty) return null
  return {
    async open({ file, args, cwd, env, columns, rows, onBytes }) {
      await mustBeFolder(cwd)
      const decodesNothing = { encoding: null }
      try {
        const pty = nodePty.spawn(file, args, { cwd, env, cols: columns, rows, name: 'xterm-256color', ...decodesNothing })
        return follow(pty, onBytes)
      } catch (error) {
        throw await startFailure(error, file, cwd)
      }
    },
  }
}

function follow(pty: IPty, onBytes: (stream: 'stdout', bytes: Buffer) => void): PtyCommand {
  const exit = Promise.withResolvers<Exit>()
  let hasEnded = false
  let mayPause = true
  let watch: NodeJS.Timeout | undefined
  const stopWatch = (): void => clearInterval(watch)
  // Without an encoding the data are Buffers, whatever the types say.
  pty.onData((data: string | Buffer) => onBytes('stdout', Buffer.isBuffer(data) ? data : Buffer.from(data)))
  pty.onExit(({ exitCode, signal }) => {
    hasEnded = true
    stopWatch()
    exit.resolve(signal ? { exitCode: null, signal: nameOf(signal) } : { exitCode, signal: null })
  })
  const whileItLives = (work: () => void): void => {
    if (!hasEnded) ignoringDeadTerminal(work)
  }
  const resume = (): void => {
    stopWatch()
    whileItLives(() => pty.resume())
  }
  return {
    pid: pty.pid,
    exit: exit.promise,
    // Its exit is told when the terminal has been read out, or 200 ms after.
    drained: exit.promise.then(() => {}),
    pause: () =>
      whileItLives(() => {
        if (!mayPause) return
        pty.pause()
        stopWatch()
        watch = setInterval(() => {
          if (isAlive(pty.pid)) return
          stopWatch()
          pty.resume()
        }, LOOK_WHILE_PAUSED_MS)
      }),
    resume,
    flush: () => {
      mayPause = false
      resume()
    },
    close: stopWatch,
    write: (data) => whileItLives(() => pty.write(data)),
    resize: (columns, rows) => whileItLives(() => pty.resize(columns, rows)),
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

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function nameOf(signal: number): string {
  const found = Object.entries(constants.signals).find(([, number]) => number === signal)
  return found ? found[0] : `signal ${signal}`
}
