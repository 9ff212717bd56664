export interface CalledCommand {
  /** Without the slash. */
  readonly name: string
  /** The rest of the text, trimmed. */
  readonly args: string
}

/** Splits a text into `/name` and the rest. Null if the text does not begin with the name of a command. */
export function calledCommand(text: string): CalledCommand | null {
  const [, name, args = ''] = /^\/([\p{L}\d][\p{L}\d_.:-]*)(?:\s+([\s\S]*))?$/u.exec(text.trim()) ?? []
  return name === undefined ? null : { name, args: args.trim() }
}
