/** The state of bash after a command, as the loop that bash runs (`shell-loop.ts`) reports it. */
export interface ShellState {
  readonly exitCode: number
  readonly cwd: string
  /** Commands that restore what the loop disabled: the DEBUG trap and tracing. */
  readonly settings: readonly string[]
  /** A command that restores `$?` and PIPESTATUS. Null if they are 0, or if setting them would have side effects. */
  readonly ending: string | null
}

export const FRESH: ShellState = { exitCode: 0, cwd: '', settings: [], ending: null }

/**
 * Parses a message: a line with the exit statuses, the shell's options and whether the settings of `before` were restored, then the folder,
 * then the traps as commands.
 */
export function parseState(message: string, before: ShellState): ShellState {
  const [, statuses = '', flags = '', isBack = '', rest = ''] = /^([\d,]*) (\S*) (\S*)\n(.*)$/su.exec(message) ?? []
  const end = rest.indexOf('\n\x01')
  const [exitCode = 0, ...ofPipe] = statuses.split(',').filter(Boolean).map(Number)
  const traps = rest.slice(end + 2)
  // A line with a syntax error was not run, so it did not restore the settings.
  const isKept = before.settings.length > 0 && isBack === ''
  return {
    exitCode,
    cwd: rest.slice(0, end),
    settings: isKept ? before.settings : [...debugTrap(traps), ...(flags.includes('x') ? ['builtin set -x'] : [])],
    // With `set -e` or an ERR trap, the command that restores a failed status would end the shell or trigger the trap.
    ending: flags.includes('e') || / ERR\n/u.test(traps) ? null : endingOf(exitCode, ofPipe),
  }
}

/**
 * Returns the two texts that run a command in a shell with this state: a prefix that restores the state and evaluates the command (empty if
 * there is nothing to restore), and the command. A DEBUG trap or tracing would show the prefix, so the command's own text restores the
 * DEBUG trap and tracing. PIPESTATUS is lost after the line, so a command with a pipe is followed by a line that records it.
 */
export function commandTexts(command: string, { settings, ending }: ShellState): readonly [string, string] {
  const last = ending === null ? [] : [ending]
  const noted = `${command}${mayBeNoted(command) ? NOTE : ''}`
  if (settings.length > 0) return ['', `${silently([...settings, '__countersign_back=1', ...last])}${noted}`]
  return [last.length > 0 ? `${silently(last)}builtin eval "$__countersign"` : '', noted]
}

const silently = (commands: readonly string[]): string => `{ ${commands.join('; ')}; } >/dev/null 2>&1; `

const NOTE = '\n{ __countersign_status=($? "${PIPESTATUS[@]}"); } >/dev/null 2>&1'

const mayBeNoted = (command: string): boolean =>
  command.includes('|') && !command.includes('<<') && !/(?:[|&\\]|\(\s*\))\s*$/u.test(command)

function debugTrap(traps: string): readonly string[] {
  const [trap] = /^trap -- .*? DEBUG$/msu.exec(traps) ?? []
  return trap === undefined ? [] : [`builtin ${trap}`]
}

function endingOf(exitCode: number, ofPipe: readonly number[]): string | null {
  const all = ofPipe.length > 1 && ofPipe.some((status) => status !== 0) ? ofPipe : [exitCode]
  if (all.every((status) => status === 0)) return null
  // If the pipe's last status is not the exit code, the pipe was negated or was only a part of the command.
  const isWhole = all.length === 1 || all.at(-1) === exitCode
  return (isWhole ? all : [exitCode]).map((status) => `(builtin exit ${status})`).join(' | ')
}
