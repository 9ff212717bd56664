/** How to type each command that can be given instead of a task. */
const USES: ReadonlyMap<string, string> = new Map([
  ['undo', 'undo STEP'],
  ['rollback', 'rollback STEP'],
  ['redo', 'redo last'],
  ['state', 'state SESSION_ID'],
  ['plan', 'plan FILE'],
  ['export', 'export ID'],
  ['import', 'import FILE'],
  ['search', 'search "WORDS"'],
  ['blame', 'blame FILE:LINE'],
  ['doctor', 'doctor, which accepts only --repair, --json and --data'],
  ['mcp', 'mcp list, mcp approve SERVER or mcp import'],
])

/**
 * Returns how to write a command whose argument is missing, or whose words are not in quotes. Without this check, `undo` alone would be a
 * task and start a turn that costs money. Null if the words do not begin with a command.
 */
export function flawOfCommand([name = '', ...rest]: readonly string[]): string | null {
  const use = USES.get(name)
  if (use === undefined) return null
  return `"${name}" is a command: ${use}. ${rest.length > 0 ? 'Put a task in quotes.' : 'A task needs more than this word.'}`
}
