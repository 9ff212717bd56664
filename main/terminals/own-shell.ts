import type { TerminalItem } from '../../shared/api/terminals.ts'
import { newId } from '../../shared/lib/ids.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import { NO_TIME_LIMIT_MS } from '../../shared/session/effects.ts'
import type { Trouble } from '../../shared/session/events.ts'
import type { ExecutionEnvironment, RunningTerminal } from '../agent/ports/execution-environment.ts'
import { commandEnvironment } from '../environment/env-policy.ts'
import { launchEnvironment } from '../environment/launch-environment.ts'
import { personsOwn, shellLine } from './shell-line.ts'

/** Where a terminal works: a folder, or a layer over it. */
export interface TerminalPlace {
  readonly environment: ExecutionEnvironment
  /** Whether the agent's programs run beside it, and could read its variables. It then gets no secrets. */
  readonly isLayer?: boolean
  /** Whether it works on another machine, which gets none of this one's variables. */
  readonly isFar?: boolean
  /** Releases the environment. */
  close(): Promise<void>
}

/** A shell of the user that runs. */
export interface Shell {
  readonly terminal: RunningTerminal
  end(): Promise<void>
}

const SIZE = { columns: 120, rows: 12 } as const
/** Number of characters that are kept of what a terminal showed before its shell began anew. */
const KEPT_CHARS = 200_000
const OTHER_SCREEN = '\u001B[?1049h'
const LEAVES_OTHER_SCREEN = '\u001B[?1049l'
/** Ends every mode that a program had set, so that the new shell begins as in an empty terminal. */
const afterEarlier = (note: string): string => `\u001B[!p\u001B[?1000;1002;1003;1004;1006;2004l\u001B[0m\r\n\u001B[2m${note}\u001B[0m\r\n`

/** What brings an empty terminal to the state of one that showed `earlier` before its shell began anew and shows `now` since. */
export function withEarlier(earlier: string, now: string, note = 'Restored. The shell began anew.'): string {
  if (earlier === '') return now
  const cut = earlier.length <= KEPT_CHARS ? earlier : earlier.slice(earlier.indexOf('\n', earlier.length - KEPT_CHARS) + 1)
  // Leaving a screen that was not entered would move the cursor up.
  const leave = cut.lastIndexOf(OTHER_SCREEN) > cut.lastIndexOf(LEAVES_OTHER_SCREEN) ? LEAVES_OTHER_SCREEN : ''
  return cut + leave + afterEarlier(note) + now
}

/** What is shown of a restored terminal whose shell could not be started. */
export function* notStarted(earlier: string, { what }: Trouble): Iterable<TerminalItem> {
  const note = `${what.replaceAll(/\p{Cc}/gu, ' ')} It is tried again when you show this terminal again.`
  yield { kind: 'replay', ...SIZE, data: withEarlier(earlier, '', note), watcher: newId('watcher') }
  yield { kind: 'exit', exitCode: null }
}

/** Starts the user's shell, unless it is no longer wanted by then. `onEnd` is called when it has ended. Closes the place in the end. */
export async function startWanted(
  place: TerminalPlace,
  platform: NodeJS.Platform,
  isWanted: () => boolean,
  onEnd: () => void,
): Promise<Result<Shell, Trouble>> {
  if (!isWanted()) {
    await place.close()
    return failed(CLOSED)
  }
  const started = await startShell(place, platform, onEnd)
  if (!started.ok || isWanted()) return started
  await started.value.end()
  return failed(CLOSED)
}

async function startShell(
  { environment, close, isLayer = false, isFar = false }: TerminalPlace,
  platform: NodeJS.Platform,
  onEnd: () => void,
): Promise<Result<Shell, Trouble>> {
  const { promise, resolve } = Promise.withResolvers<RunningTerminal | null>()
  const stop = new AbortController()
  const untilEnd = async (): Promise<Trouble | null> => {
    try {
      const policy = isLayer ? 'inherit_core' : 'inherit_all'
      const own = { ...commandEnvironment(launchEnvironment(), { policy, terminal: true }), ...personsOwn() }
      const envVars = isFar ? {} : own
      const line = shellLine(isFar ? environment.platform() : platform)
      const terminal = { ...SIZE, onOpen: resolve }
      await environment.execCommand(line, { envVars, signal: stop.signal, timeoutMs: NO_TIME_LIMIT_MS, terminal })
      return null
    } catch (error) {
      return notOpened(error instanceof Error ? error.message : String(error))
    } finally {
      onEnd()
      await close()
    }
  }
  const ended = untilEnd()
  void ended.then(() => resolve(null))
  const terminal = await promise
  if (!terminal) return failed((await ended) ?? notOpened('Countersign cannot open a terminal on this machine.'))
  const end = async (): Promise<void> => {
    stop.abort()
    await ended
  }
  return ok({ terminal, end })
}

export const notOpened = (why: string): Trouble => ({
  code: 'terminal_not_opened',
  what: `The terminal was not opened: ${why}`,
  kept: 'Everything is unchanged.',
  todo: 'Run the command in your own terminal.',
})

const CLOSED = notOpened('It was closed.')
