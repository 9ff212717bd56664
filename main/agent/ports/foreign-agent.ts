import type { AGENT_CALL_KINDS } from '../../../shared/tools/built-in/agent-step.ts'
import type { ImagePart, JsonValue } from '../../../shared/session/content.ts'
import type { Question, QuestionAnswer } from '../../../shared/workflow/question.ts'
import type { Todo } from '../../../shared/session/todo.ts'

/** The kind of a call. */
export type AgentCallKind = (typeof AGENT_CALL_KINDS)[number]

/** A tool call of the agent, as the agent announces it. `id` is unique within the agent's session. */
export interface AgentCall {
  readonly id: string
  readonly title: string
  readonly kind: AgentCallKind
  /** The input of the tool. Null if the agent does not report it. */
  readonly input: JsonValue
  /** Absolute paths of the files that the call names. Grows as the agent reports more. */
  readonly paths: ReadonlySet<string>
}

/** Tokens in the agent's context, the size of its context window, and the cost of the session so far, as the agent reports them. */
export interface AgentUsage {
  readonly used: number
  readonly size: number
  readonly costUsd: number | null
}

/** The output of a call so far: the end of its text, and its total number of bytes. */
export interface AgentOutput {
  readonly tail: string
  readonly bytes: number
}

/** The agent's questions to the user. The agent waits for `answer`, which takes one answer per question, or null if nobody answers. */
export interface AskedByAgent {
  readonly questions: readonly Question[]
  answer(answers: readonly QuestionAnswer[] | null): void
}

/** What the agent does in a turn, in order. Each call begins once and ends once. */
export type AgentActivity =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string }
  | { readonly kind: 'call'; readonly call: AgentCall }
  | { readonly kind: 'call_output'; readonly id: string; readonly output: AgentOutput }
  | { readonly kind: 'call_end'; readonly id: string; readonly output: string; readonly isError: boolean }
  | { readonly kind: 'todos'; readonly todos: readonly Todo[] }
  | { readonly kind: 'usage'; readonly usage: AgentUsage }
  | { readonly kind: 'question'; readonly asked: AskedByAgent }

/**
 * Why a turn of the agent ended. `failed`: the agent ended, refused the message or broke the protocol. `why`: a sentence. `hasEnded`:
 * whether its program has ended by itself.
 */
export type AgentTurnEnd =
  | { readonly kind: 'ended'; readonly why: 'end_turn' | 'max_tokens' | 'max_turn_requests' | 'refusal' | 'cancelled' }
  | { readonly kind: 'failed'; readonly why: string; readonly hasEnded: boolean }

/** A message to the agent. */
export interface AgentPrompt {
  readonly text: string
  readonly pictures: readonly ImagePart[]
}

/** Why an agent could not be started. */
export interface AgentFailure {
  /** As a sentence. */
  readonly why: string
  /** Set if nobody is signed in to its account: how to sign in, as a sentence. Empty if the agent does not say. */
  readonly signIn?: string
}

/** A value that was set but is not in force. The names are those that the agent shows. */
export interface RefusedChoice {
  /** The name of the choice, such as the mode. */
  readonly name: string
  readonly wanted: string
  /** The value that the agent has instead. Null if it no longer offers this choice. */
  readonly current: string | null
  /** The reason as a sentence. */
  readonly why: string
}

/** A running third-party agent with one open session of its own. */
export interface ForeignAgent {
  /** The agent's own id of its session. A later process can reopen the session with it. */
  readonly sessionId: string
  /** The name and version that the agent reports. */
  readonly title: string
  readonly version: string
  /** What the agent refused when it started. */
  readonly refused: readonly RefusedChoice[]
  /**
   * Runs a turn. If the agent takes no pictures, the message says that they were left out. Resolves when the turn and all its calls have
   * ended; `onActivity` is not called after that. Never rejects.
   */
  prompt(message: AgentPrompt, onActivity: (activity: AgentActivity) => void): Promise<AgentTurnEnd>
  /** Asks the agent to stop its turn. Does nothing between turns. */
  cancel(): void
  /** Sets one of the agent's choices, even during a turn. Resolves to null if the agent has the value now. */
  choose(id: string, value: string): Promise<RefusedChoice | null>
  /** Resolves when the agent's process has ended. */
  readonly ended: Promise<void>
  /** Ends the agent's process and everything that it started. */
  close(): Promise<void>
}
