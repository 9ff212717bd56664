import { z } from 'zod'
import { SessionId } from '../lib/ids.ts'
import type { Trouble } from '../session/events.ts'
import { command, returns } from '../wire/contract.ts'
import type { AgentOffers } from './agent-offers.ts'

/** `name`: what the agent calls this way to sign in. Empty for the one that Countersign knows. */
export interface SignIn {
  readonly name: string
  readonly line: string
}

/** The code of the trouble that an agent could not start because nobody is signed in to its account, and that it has named ways to sign in. */
export const AGENT_SIGN_IN = 'agent_sign_in'

/** A third-party agent that can work in a layer. */
export interface AgentSummary {
  readonly id: string
  readonly name: string
  /** Absolute path of its program. Null if it is not installed. */
  readonly file: string | null
  /** The command line that installs the agent. Empty for an agent from the user's own file. */
  readonly install: string
  /**
   * The command lines that sign in to its account: those that the agent named itself when it was last started in this run, otherwise the one
   * that Countersign knows. Empty if none is known.
   */
  readonly signIns: readonly SignIn[]
  /** The installed version. Null if it is not known. */
  readonly version: string | null
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

type AgentsDone = { readonly ok: true } | { readonly ok: false; readonly trouble: Trouble }

const Choice = z.object({ sessionId: SessionId, id: z.string().max(500), value: z.string().max(2_000) })

export const agentsApi = {
  /** What the agent of a session offers, with the user's choices. Null if nothing is known yet, or for Countersign's own agent. */
  offers: command({ input: z.object({ sessionId: SessionId }), output: returns<AgentOffers | null>() }),
  /** Chooses a value. A running agent takes it at once. Any other takes it when it starts. */
  choose: command({ input: Choice, output: returns<AgentsDone>() }),
  /** The log that the agent itself keeps of the session. Null if there is none that Countersign can find. */
  log: command({ input: z.object({ sessionId: SessionId }), output: returns<{ readonly path: string | null }>() }),
  /** Opens this log in the user's editor. */
  openLog: command({ input: z.object({ sessionId: SessionId }), output: returns<AgentsDone>() }),
  /** The third-party agents, in the order in which they are offered. Each call searches for their programs. */
  list: command({ input: z.object({}), output: returns<ListedOtherAgents>() }),
}
