import { once } from 'node:events'
import { constants } from 'node:fs'
import { type FileHandle, open, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { BlockedHost } from '../../../agent/ports/command-copies.ts'
import { statsAt } from '../../copy/changes/folder-entries.ts'
import { untilAllEnded } from '../../copy/run-in-copy.ts'
import { EnvironmentFailure, whyNot } from '../../environment-failure.ts'
import { runOwnProgram } from '../../own-programs/run-own-program.ts'
import { type DurableLayer, touch } from './durable-layer.ts'

/** The kernel's clock for files stands still for at most this time, in ms. */
const TICK_MS = 11
/** How often to check whether the first process inside has shown where it stands, and how long it may take, in ms. */
const LOOK_MS = 2
const PROOF_MS = 30_000

/** A program that runs in a layer, and everything that it has started. */
export interface RunningInLayer {
  /** The pid of the first process inside, as seen from outside. */
  readonly pid: number
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /**
   * A folder with the layer's files as they are seen inside. What is written there is written inside. Throws `ENOLAYER` when the program
   * has ended.
   */
  readonly files: string
  /** Hosts that were refused. */
  readonly blocked: readonly BlockedHost[]
  /** Resolves when every process inside has ended, with the exit code of the program. Null if a signal ended it. Never rejects. */
  readonly ended: Promise<number | null>
  /**
   * Makes the layer show what has been replaced in the real folder. Without it, a program inside that has looked up the old version
   * continues to see that.
   */
  refresh(): Promise<void>
  /** Ends every process inside, and waits for that. */
  close(): Promise<void>
}

/** What is needed of Node's child process. */
interface StartedProgram extends Pick<RunningInLayer, 'stdin'>, NodeJS.EventEmitter {
  readonly pid?: number | undefined
  kill(signal: 'SIGKILL'): boolean
}

export interface Follow extends Pick<RunningInLayer, 'stdout' | 'stderr'> {
  readonly layer: DurableLayer
  /** The real path of the project folder. */
  readonly folder: string
  readonly child: StartedProgram
  /** The path of the probe in the upper folder. The first process inside removes it. */
  readonly probe: string
  readonly blocked: () => readonly BlockedHost[]
  /** Called once when every process has ended. */
  readonly onEnd: () => Promise<void>
  readonly signal: AbortSignal | undefined
}

/**
 * Waits until the first process inside has shown that it stands in the layer. Rejects with `ENOLAYER` if it has not, when everything that
 * was started has ended.
 */
export async function followStart({
  layer,
  folder,
  child,
  stdout,
  stderr,
  probe,
  blocked,
  onEnd,
  signal,
}: Follow): Promise<RunningInLayer> {
  let inside: FileHandle | null = null
  let hasEnded = false
  const pidOutside = child.pid ?? 0
  const ended = endOf(child, layer).then(async (exitCode) => {
    hasEnded = true
    // The kernel unmounts the layer now, in a thread of Node's pool.
    await inside?.close()
    await onEnd()
    return exitCode
  })
  const kill = (): void => void child.kill('SIGKILL')
  signal?.addEventListener('abort', kill, { once: true })
  if (signal?.aborted) kill()
  const close = async (): Promise<void> => {
    kill()
    await ended
  }
  for (const until = performance.now() + PROOF_MS; (await statsAt(probe)) !== null; await delay(LOOK_MS))
    if (hasEnded || performance.now() > until) {
      await close()
      throw await whyNotStarted(layer, stderr)
    }
  const pid = await firstInside(layer)
  const opened = await open(`/proc/${pid}/root${folder}`, constants.O_RDONLY | constants.O_DIRECTORY).catch(() => null)
  // A short program may have ended by now.
  if (hasEnded) await opened?.close()
  else inside = opened
  return {
    pid,
    stdin: child.stdin,
    stdout,
    stderr,
    get files() {
      if (hasEnded || inside === null) throw new EnvironmentFailure('ENOLAYER', 'The program in the layer has ended.')
      return `/proc/self/fd/${inside.fd}/.`
    },
    get blocked() {
      return blocked()
    },
    ended,
    refresh: () => refresh(layer, folder, pidOutside),
    close,
  }
}

/** Bubblewrap may end a moment before the first process inside. */
async function endOf(child: StartedProgram, layer: DurableLayer): Promise<number | null> {
  const [exitCode] = (await once(child, 'exit')) as [number | null]
  await untilAllEnded(layer).catch(() => {})
  return exitCode
}

async function firstInside({ path }: DurableLayer): Promise<number> {
  const [, pid] = /"child-pid": (\d+)/.exec(await readFile(join(path, 'status'), 'utf8')) ?? []
  const [own, inside] = await Promise.all(['self', pid ?? ''].map((name) => stat(`/proc/${name}/ns/mnt`).catch(() => null)))
  // A pid that leads to this process's own mounts would make every write inside a write to the real folder.
  if (pid === undefined || own?.ino === inside?.ino) throw new EnvironmentFailure('ENOLAYER', 'The layer has no mounts of its own.')
  return Number(pid)
}

/** The kernel forgets what was looked up in an overlay when the overlay is mounted again. Open files remain as they are. */
async function refresh({ path, fresh }: DurableLayer, folder: string, pid: number): Promise<void> {
  // What was replaced just before gets an earlier time than this file.
  await delay(TICK_MS)
  await touch(`${fresh}.new`)
  const mount = ['mount', '-o', 'remount,rw', '--', folder]
  const { failure, stderr } = await runOwnProgram('nsenter', ['-t', String(pid), '-U', '-m', '--preserve-credentials', '--', ...mount], {
    cwd: path,
  })
  // A killed program sees nothing any more, and the next one sees everything. Until its parent has noticed, it still has its users.
  if (failure && (await stat(`/proc/${pid}/ns/mnt`).catch(() => null)) === null) return
  if (failure) throw new EnvironmentFailure('ENOLAYER', `The layer could not be refreshed: ${stderr.trim() || whyNot(failure)}.`)
  await rename(`${fresh}.new`, fresh)
}

const FAILED_HOME = 'failed-home'

/** Whether the last start failed because home cannot be covered. */
export const hasFailedHome = async ({ path }: DurableLayer): Promise<boolean> =>
  (await readFile(join(path, FAILED_HOME), 'utf8').catch(() => '')) !== ''

async function whyNotStarted({ path }: DurableLayer, stderr: Readable): Promise<EnvironmentFailure> {
  const parts = await Promise.all(['failed-folder', FAILED_HOME].map((name) => readFile(join(path, name), 'utf8').catch(() => '')))
  const pieces: Buffer[] = []
  for await (const piece of stderr) pieces.push(piece as Buffer)
  const reason = parts.join('').trim() || Buffer.concat(pieces).toString('utf8').trim()
  return new EnvironmentFailure('ENOLAYER', `The program could not be started in the session's layer: ${reason}`)
}
