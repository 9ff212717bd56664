import { z } from 'zod'
import { command, returns } from '../wire/contract.ts'

/** An agent of another maker that can work in a layer. */
export interface AgentSummary {
  readonly id: string
  readonly name: string
  /** Absolute path of its program. Null if it is not installed. */
  readonly file: string | null
  /** One line that installs it. Empty if the user's own file describes it. */
  readonly install: string
  /** The version with which Countersign was tested. Empty if it was not. */
  readonly tested: string
  /** The hosts that it reaches without a question. */
  readonly hosts: readonly string[]
  /** Absolute paths of its sign-in and settings, which it sees although other programs in layers do not. */
  readonly state: readonly string[]
}

export interface ListedOtherAgents {
  readonly agents: readonly AgentSummary[]
  /** What is wrong with the user's own file, as a sentence. Null if nothing is. */
  readonly problem: string | null
}

export const agentsApi = {
  /** The agents of other makers, in the order in which they are offered. Programs are searched each time. */
  list: command({ input: z.object({}), output: returns<ListedOtherAgents>() }),
}
