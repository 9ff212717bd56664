/** How a command left its bash, as the loop tells it. */
export interface ShellState {
  readonly exitCode: number
  readonly cwd: string
  /** Commands that give the next one what ours took away: its DEBUG trap and its tracing. */
  readonly settings: readonly string[]
  /** A command after which `$?` and PIPESTATUS are as they were; null: they are 0, or setting them would do more than that. */
  readonly ending: string | null
}

export const FRESH: ShellState = { exitCode: 0, cwd: '', settings: [], ending: null }

/** A message: statuses, options and a sign that `before` got its settings back, then the folder, then traps as commands that set them. */
export function parseState(message: string, before: ShellState): ShellState {
  const [, statuses = '', flags = '', isBack = '', rest = ''] = /^([\d,]*) (\S*) (\S*)\n(.*)$/su.exec(message) ?? []
  const end = rest.indexOf('\n\x01')
  const [exitCode = 0, ...ofPipe] = statuses.split(',').filter(Boolean).map(Number)
  const traps = rest.slice(end + 2)
  // A line that bash could not read was not begun, so that it took nothing back.
  const isKept = before.settings.length > 0 && isBack === ''
  return {
    exitCode,
    cwd: rest.slice(0, end),
    settings: isKept ? before.settings : [...debugTrap(traps), ...(flags.includes('x') ? ['builtin set -x'] : [])],
    // Where a failure ends the shell or sets a trap off, ours would too.
    ending: flags.includes('e') || / ERR\n/u.test(traps) ? null : endingOf(exitCode, ofPipe),
  }
}

/**
 * The two texts that carry a command out in a shell so left: what evaluates the command after giving it back what it had, empty when
 * that is nothing, and the command. A DEBUG trap or tracing would show such an evaluation, so they are given back in the command's own
 * text. What begins with a pipe leaves statuses that end with the line, so they are
 * noted below it, where nothing of the line could reach down to the note.
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
  // A pipe whose end says otherwise was turned round, or stood somewhere inside.
  const isWhole = all.length === 1 || all.at(-1) === exitCode
  return (isWhole ? all : [exitCode]).map((status) => `(builtin exit ${status})`).join(' | ')
}
