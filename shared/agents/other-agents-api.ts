import { z } from 'zod'
import { command, returns } from '../wire/contract.ts'

/** A third-party agent that can work in a layer. */
export interface AgentSummary {
  readonly id: string
  readonly name: string
  /** Absolute path of its program. Null if it is not installed. */
  readonly file: string | null
  /** The command line that installs the agent. Empty for an agent from the user's own file. */
  readonly install: string
  /** The version that was tested with Countersign. Empty if none was. */
  readonly tested: string
  /** The hosts that the agent may reach without a question. */
  readonly hosts: readonly string[]
  /** Absolute paths of the agent's sign-in and settings. Other programs in layers cannot see these files. */
  readonly state: readonly string[]
}

export interface ListedOtherAgents {
  readonly agents: readonly AgentSummary[]
  /** A sentence about why the user's own file cannot be used. Null if it is valid or missing. */
  readonly problem: string | null
}

export const agentsApi = {
  /** The third-party agents, in the order in which they are offered. Each call searches for their programs. */
  list: command({ input: z.object({}), output: returns<ListedOtherAgents>() }),
}
