import type { Disposable } from '../../shared/lib/disposable.ts'
import type { RunningTerminal } from '../agent/ports/execution-environment.ts'

/** The prompt counts as shown after `QUIET_MS` ms without output, or after `LONGEST_WAIT_MS` ms in any case. */
const QUIET_MS = 300
const LONGEST_WAIT_MS = 10_000

/** Types text once the shell shows its prompt. Text that is typed before would appear twice. */
export function typeAtPrompt(terminal: RunningTerminal, typed: string): void {
  if (typed === '') return
  let quiet: NodeJS.Timeout | undefined
  const stopped: Disposable[] = []
  const write = (): void => {
    clearTimeout(quiet)
    clearTimeout(longest)
    for (const one of stopped) one.dispose()
    terminal.write(typed)
  }
  const longest = setTimeout(write, LONGEST_WAIT_MS)
  stopped.push(
    terminal.onData(() => {
      clearTimeout(quiet)
      quiet = setTimeout(write, QUIET_MS)
    }),
    terminal.onExit(() => {
      clearTimeout(quiet)
      clearTimeout(longest)
    }),
  )
}
