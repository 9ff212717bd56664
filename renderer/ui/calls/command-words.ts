/** A command on one line: what further lines it has is only hinted at. */
export function firstLine(text: string): string {
  const end = text.indexOf('\n')
  return end === -1 ? text : `${text.slice(0, end)} …`
}

/** Characters of a program's path that the line of a step has room for. */
const PROGRAM_ROOM = 24

/**
 * A command whose program stands with a long absolute path, without the middle of that: "/opt/…/node --test". For lines that say what
 * happened, never for what is to be signed.
 */
export function withShortProgram(command: string): string {
  const [, quote = '', path = '', rest = ''] = /^(["']?)(\/[^\s"']+)\1(.*)$/s.exec(command) ?? []
  if (path.length <= PROGRAM_ROOM) return command
  const folders = path.split('/')
  if (folders.length < 4) return command
  return `${quote}/${folders[1]}/…/${folders.at(-1)}${quote}${rest}`
}
