import type { TerminalItem } from '../../shared/api/terminals.ts'
import { newId } from '../../shared/lib/ids.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import { NO_TIME_LIMIT_MS } from '../../shared/session/effects.ts'
import type { Trouble } from '../../shared/session/events.ts'
import type { ExecutionEnvironment, RunningTerminal } from '../agent/ports/execution-environment.ts'
import { commandEnvironment } from '../environment/env-policy.ts'
import { launchEnvironment } from '../environment/launch-environment.ts'
import { userValues, shellLine } from './shell-line.ts'

/** Where a terminal works: a folder, or a layer over it. */
export interface TerminalPlace {
  readonly environment: ExecutionEnvironment
  /** True for a layer, where the agent's programs could read the terminal's variables. The terminal then gets no secrets. */
  readonly isLayer?: boolean
  /** True for a layer in which programs can write anywhere. */
  readonly isUnconfined?: boolean
  /** True for another machine, which gets no variables of this computer. */
  readonly isFar?: boolean
  /** Releases the environment. */
  close(): Promise<void>
}

/** A running shell of the user. */
export interface Shell {
  readonly terminal: RunningTerminal
  end(): Promise<void>
}

const SIZE = { columns: 120, rows: 12 } as const
/** Maximum number of characters of the earlier screen that a restored terminal shows. */
const MAX_EARLIER_CHARS = 200_000
/** Codes that switch to and from the screen that full-screen programs use. */
const ENTER_ALTERNATE_SCREEN = '\u001B[?1049h'
const LEAVE_ALTERNATE_SCREEN = '\u001B[?1049l'
/** Resets every mode that a program set, so that the new shell starts as in an empty terminal. */
const afterEarlier = (note: string): string => `\u001B[!p\u001B[?1000;1002;1003;1004;1006;2004l\u001B[0m\r\n\u001B[3m${note}\u001B[0m\r\n`

/** The output that makes an empty terminal look like a restored one. `earlier`: the screen before the restart. `now`: the new shell's output. */
export function withEarlier(earlier: string, now: string, note = 'Restored with a new shell.'): string {
  if (earlier === '') return now
  const cut = earlier.length <= MAX_EARLIER_CHARS ? earlier : earlier.slice(earlier.indexOf('\n', earlier.length - MAX_EARLIER_CHARS) + 1)
  // Leaving the alternate screen without having entered it would move the cursor up.
  const leave = cut.lastIndexOf(ENTER_ALTERNATE_SCREEN) > cut.lastIndexOf(LEAVE_ALTERNATE_SCREEN) ? LEAVE_ALTERNATE_SCREEN : ''
  return cut + leave + afterEarlier(note) + now
}

/** The items of a restored terminal whose shell could not be started. */
export function* notStarted(earlier: string, { what }: Trouble): Iterable<TerminalItem> {
  const note = `${what.replaceAll(/\p{Cc}/gu, ' ')} To try again, show this terminal again.`
  yield { kind: 'replay', ...SIZE, data: withEarlier(earlier, '', note), watcher: newId('watcher') }
  yield { kind: 'exit', exitCode: null }
}

/** Starts the user's shell, and ends it again if nobody wants it any more. Calls `onEnd` when the shell has ended, and closes the place. */
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
      const own = { ...commandEnvironment(launchEnvironment(), { policy, terminal: true }), ...userValues() }
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
