import type { AGENT_CALL_KINDS } from '../../../shared/tools/built-in/agent-step.ts'
import type { ImagePart, JsonValue } from '../../../shared/session/content.ts'
import type { Todo } from '../../../shared/session/todo.ts'

/** The kind of what another agent does. */
export type AgentCallKind = (typeof AGENT_CALL_KINDS)[number]

/** A call as the agent announces it. `id` is unique within its session. */
export interface AgentCall {
  readonly id: string
  readonly title: string
  readonly kind: AgentCallKind
  /** What the agent says it passes to its tool. Null if it says nothing. */
  readonly input: JsonValue
  /** Absolute paths of the files that the call names. They are added as the agent tells them. */
  readonly paths: ReadonlySet<string>
}

/** Tokens in the agent's context and its window, and what the session has cost so far, as the agent reports it. */
export interface AgentUsage {
  readonly used: number
  readonly size: number
  readonly costUsd: number | null
}

/** What a call has printed so far: the end of it, and the number of bytes of all. */
export interface AgentOutput {
  readonly tail: string
  readonly bytes: number
}

/** What another agent does in a turn, in order. Each call begins once and ends once. */
export type AgentActivity =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string }
  | { readonly kind: 'call'; readonly call: AgentCall }
  | { readonly kind: 'call_output'; readonly id: string; readonly output: AgentOutput }
  | { readonly kind: 'call_end'; readonly id: string; readonly output: string; readonly isError: boolean }
  | { readonly kind: 'todos'; readonly todos: readonly Todo[] }
  | { readonly kind: 'usage'; readonly usage: AgentUsage }

/** Why a turn of the agent ended. `failed`: the agent ended or broke the protocol; `why` is a sentence. */
export type AgentTurnEnd =
  | { readonly kind: 'ended'; readonly why: 'end_turn' | 'max_tokens' | 'max_turn_requests' | 'refusal' | 'cancelled' }
  | { readonly kind: 'failed'; readonly why: string }

/** A message to an agent. */
export interface AgentPrompt {
  readonly text: string
  readonly pictures: readonly ImagePart[]
}

/** A running agent of another maker, with one open session of its own. */
export interface ForeignAgent {
  /** The agent's id of its session, by which a later process can open it again. */
  readonly sessionId: string
  /** The name and version that the agent gives. */
  readonly title: string
  readonly version: string
  /**
   * Begins a turn. If the agent takes no pictures, it is told that they were left out. `onActivity` is called in order, and never after the promise resolves, which is after each call has ended. Never rejects.
   */
  prompt(message: AgentPrompt, onActivity: (activity: AgentActivity) => void): Promise<AgentTurnEnd>
  /** Asks the agent to stop its turn. Does nothing between turns. */
  cancel(): void
  /** Resolves when the agent has ended. */
  readonly ended: Promise<void>
  /** Ends the agent and everything that it has started. */
  close(): Promise<void>
}
