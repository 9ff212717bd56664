import type { PlanDocument } from '../workflow/plan-from-markdown.ts'
import type { Picture } from './content.ts'
import type { Effort } from './settings/model-facts.ts'

/** A user's message: text, pictures or both. If `pictures` is left out, there are none. */
export interface PersonMessage {
  readonly text: string
  readonly pictures?: readonly Picture[]
  /** What the user typed, if it called a slash command. `text` is then what the command expands to. */
  readonly command?: string
  /** What the file of the slash command sets for the turn of this message. If absent, it sets nothing. */
  readonly forTurn?: ForTurn
  /** A plan that the user approved earlier. It applies from this message on. */
  readonly plan?: PlanDocument
}

export interface ForTurn {
  /** Without the slash. */
  readonly command: string
  readonly model?: string
  readonly effort?: Effort
  /** The model that the command's file names, if the provider does not have that model. */
  readonly unknownModel?: string
}

/** The message that the user typed. */
export const messageAsTyped = ({ text, command }: PersonMessage): string => command ?? text

/** Returns only the message, without other members. */
export function messageAlone({ text, pictures, command, forTurn, plan }: PersonMessage): PersonMessage {
  return {
    text,
    ...(pictures && pictures.length > 0 && { pictures }),
    ...(command !== undefined && { command }),
    ...(forTurn && { forTurn }),
    ...(plan && { plan }),
  }
}
