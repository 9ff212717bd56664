import type { PlanDocument } from '../workflow/plan-from-markdown.ts'
import type { Picture } from './content.ts'

/** A person's message: text, pictures or both. `pictures` left out: none. */
export interface Said {
  readonly text: string
  readonly pictures?: readonly Picture[]
  /** What was typed, if it called a slash command, whose text is `text`. */
  readonly command?: string
  /** A plan that its person agreed to beforehand: it is in force from this message on. */
  readonly plan?: PlanDocument
}

/** A message as its person typed it. */
export const typedIn = ({ text, command }: Said): string => command ?? text

/** The message alone, without other members. */
export function saidIn({ text, pictures, command, plan }: Said): Said {
  return { text, ...(pictures && pictures.length > 0 && { pictures }), ...(command !== undefined && { command }), ...(plan && { plan }) }
}

export interface CalledCommand {
  /** Without the slash. */
  readonly name: string
  /** The rest of the text, trimmed. */
  readonly args: string
}

/** `/name` and the rest of a text; null: the text does not begin with the name of a command. */
export function calledCommand(text: string): CalledCommand | null {
  const [, name, args = ''] = /^\/([\p{L}\d][\p{L}\d_.:-]*)(?:\s+([\s\S]*))?$/u.exec(text.trim()) ?? []
  return name === undefined ? null : { name, args: args.trim() }
}
