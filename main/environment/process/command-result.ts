import type { ExecResult } from '../../agent/ports/execution-environment.ts'
import { DEFAULT_COMMAND_MS } from '../../../shared/session/settings/session-config.ts'
import { EnvironmentFailure } from '../environment-failure.ts'
import type { Collected } from './output-collector.ts'
import type { TimeLimit } from './time-limit.ts'
import type { Exit } from './started-command.ts'

export type Ending<T> = { readonly kind: 'end'; readonly end: T } | { readonly kind: 'timeout' } | { readonly kind: 'abort' }

/** Resolves with whichever comes first: the command's own end, the time limit or the abort. */
export async function firstOf<T>(coming: Promise<T>, limit: TimeLimit, signal: AbortSignal | undefined): Promise<Ending<T>> {
  const { promise, resolve, reject } = Promise.withResolvers<Ending<T>>()
  void limit.over.then(() => resolve({ kind: 'timeout' }))
  const onAbort = (): void => resolve({ kind: 'abort' })
  signal?.addEventListener('abort', onAbort, { once: true })
  if (signal?.aborted) onAbort()
  void coming.then((end) => resolve({ kind: 'end', end }), reject)
  try {
    return await promise
  } finally {
    limit.stop()
    signal?.removeEventListener('abort', onAbort)
  }
}

/** Returns the time limit in ms. Throws `EINVAL` if the command contains a NUL or the time limit is not above 0. */
export function checkedCommand(command: string, timeoutMs = DEFAULT_COMMAND_MS): number {
  if (command.includes('\0')) throw new EnvironmentFailure('EINVAL', 'The command contains a NUL character.')
  if (timeoutMs > 0) return timeoutMs
  throw new EnvironmentFailure('EINVAL', `The time limit must be a number of milliseconds above 0, not ${timeoutMs}.`)
}

const NOTHING = { stdout: '', stderr: '', exitCode: null, signal: null, bytes: 0, complete: true, durationMs: 0 } as const
/** The result of a command that was aborted before the start. */
export const NOT_STARTED: ExecResult = { ...NOTHING, timedOut: false, aborted: true }

export interface EndedCommand {
  readonly ending: Ending<unknown>['kind']
  readonly timeoutMs: number
  readonly exit: Exit
  readonly collected: Collected
  readonly left: readonly number[]
  readonly durationMs: number
  readonly inTerminal: boolean
  /** Whether the command was waiting for input. */
  readonly waited: boolean
}

export function execResult({ ending, timeoutMs, exit, collected, left, durationMs, inTerminal, waited }: EndedCommand): ExecResult {
  const { stdout, stderr, bytes } = collected
  const note = ending === 'timeout' ? timeoutNote(timeoutMs) : ''
  return {
    stdout: inTerminal ? withNote(stdout.text, note) : stdout.text,
    stderr: inTerminal ? stderr.text : withNote(stderr.text, note),
    exitCode: exit.exitCode,
    signal: exit.signal,
    timedOut: ending === 'timeout',
    aborted: ending === 'abort',
    durationMs: Math.round(durationMs),
    bytes,
    complete: stdout.omitted === 0 && stderr.omitted === 0,
    ...(stdout.omitted + stderr.omitted > 0 && { missing: stdout.shorterBy + stderr.shorterBy }),
    ...(left.length > 0 && { leftRunning: left }),
    ...(waited && ending !== 'end' && { waitedForInput: true }),
    ...(note !== '' && { timeoutNote: note }),
  }
}

/** This note is added below the partial output. */
function timeoutNote(timeoutMs: number): string {
  return `[ERROR: Command timed out after ${timeoutMs} ms. Partial output is shown above. Retry with a larger timeout_ms if it needs longer.]`
}

function withNote(text: string, note: string): string {
  return note === '' ? text : `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${note}`
}
