import { constants, openSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { EnvironmentFailure } from '../environment-failure.ts'
import { ownProgram } from '../own-programs/own-programs.ts'
import { runOwnProgram } from '../own-programs/run-own-program.ts'
import { openTemporaryFolder } from '../temporary-folder.ts'

/**
 * Two named pipes that control a persistent shell. They are needed because a pty passes no file descriptors besides the shell's input and
 * output.
 */
export interface ControlPipes {
  /** The shell reads from the first pipe and answers on the second. */
  readonly paths: readonly [string, string]
  /** Sends one message. */
  send(message: string): void
  /** Calls back with messages of the shell, each of which ends with a NUL. */
  onMessage(listener: (message: string) => void): void
  /** Call this when both ends are open. It removes the names, so that a crash leaves nothing behind. */
  forgetNames(): Promise<void>
  close(): Promise<void>
}

export async function openControlPipes(): Promise<ControlPipes> {
  if (ownProgram('mkfifo') === null)
    throw new EnvironmentFailure('ENOSHELL', 'A persistent shell needs the program mkfifo, which was not found.')
  const folder = await openTemporaryFolder('shell')
  const paths = [join(folder, 'in'), join(folder, 'out')] as const
  const forgetNames = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    const { failure } = await runOwnProgram('mkfifo', ['-m', '600', ...paths], { cwd: folder })
    if (failure) throw failure
    const toShell = openEnd(paths[0], 'write')
    const fromShell = openEnd(paths[1], 'read')
    let listener: (message: string) => void = () => {}
    let held = ''
    fromShell.setEncoding('utf8').on('data', (text: string) => {
      const [first = '', ...messages] = text.split('\0')
      held += first
      for (const next of messages) {
        const message = held
        held = next
        listener(message)
      }
    })
    for (const end of [toShell, fromShell]) end.on('error', () => {})
    return {
      paths,
      send: (message) => void toShell.write(`${message}\0`),
      onMessage: (to) => (listener = to),
      forgetNames,
      async close() {
        toShell.destroy()
        fromShell.destroy()
        await forgetNames()
      },
    }
  } catch (error) {
    await forgetNames()
    throw error
  }
}

/** Opened for both directions, so that neither side waits for the other to open its end. */
function openEnd(path: string, use: 'read' | 'write'): Socket {
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  return new Socket({ fd, readable: use === 'read', writable: use === 'write' })
}
