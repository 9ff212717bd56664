/** How to type each command that can be given instead of a task. */
const USES: ReadonlyMap<string, string> = new Map([
  ['undo', 'undo STEP'],
  ['rollback', 'rollback STEP'],
  ['redo', 'redo last'],
  ['state', 'state SESSION_ID or state last'],
  ['plan', 'plan FILE'],
  ['export', 'export ID'],
  ['import', 'import FILE'],
  ['search', 'search "WORDS"'],
  ['blame', 'blame FILE:LINE'],
  ['doctor', 'doctor, which accepts only --repair, --json and --data'],
  ['mcp', 'mcp list, mcp approve SERVER or mcp import'],
])

/**
 * Returns an error message if the words begin with the name of a command: the command is incomplete, or a task is not in quotes. Null
 * otherwise. Without this check, `undo` alone would be a task and start a turn that costs money.
 */
export function flawOfCommand([name = '', ...rest]: readonly string[]): string | null {
  const use = USES.get(name)
  if (use === undefined) return null
  return `"${name}" is a command: ${use}. ${rest.length > 0 ? 'Put a task in quotes.' : 'A task needs more than this word.'}`
}
