import type { AgentActivity, AgentPrompt, AgentTurnEnd, ForeignAgent } from '../../../main/agent/ports/foreign-agent.ts'
import type { Provider, ProviderEvent } from '../../../main/agent/ports/provider.ts'
import type { Turn } from '../../../shared/session/conversation-turns.ts'
import { type AgentModel, type AgentModelParts, createAgentModel } from '../../../main/foreign-agents/agent-model.ts'
import { createAgentQuestions } from '../../../main/foreign-agents/agent-questions.ts'
import { type AgentSteps, createAgentSteps } from '../../../main/foreign-agents/agent-steps.ts'

export interface ScriptedAgent {
  readonly agent: ForeignAgent
  /** The texts of the messages to the agent. */
  readonly got: string[]
  /** Does something in the newest turn. */
  act(activity: AgentActivity): void
  /** Ends the newest turn. */
  end(end?: AgentTurnEnd): void
}

const ENDED = { kind: 'ended', why: 'end_turn' } as const

/** An agent that does what the test says. A cancelled turn ends at once. */
export function scriptedAgent(): ScriptedAgent {
  const got: string[] = []
  let act = (_activity: AgentActivity): void => {}
  let end = (_end: AgentTurnEnd): void => {}
  const agent: ForeignAgent = {
    sessionId: 'theirs',
    title: 'Scripted',
    version: '1',
    refused: [],
    prompt({ text }: AgentPrompt, onActivity) {
      got.push(text)
      act = onActivity
      const over = Promise.withResolvers<AgentTurnEnd>()
      end = over.resolve
      return over.promise
    },
    cancel: () => end({ kind: 'ended', why: 'cancelled' }),
    choose: () => Promise.resolve(null),
    ended: new Promise(() => {}),
    close: () => Promise.resolve(),
  }
  return { agent, got, act: (activity) => act(activity), end: (how = ENDED) => end(how) }
}

export interface ModelUnderTest {
  readonly model: AgentModel
  readonly steps: AgentSteps
  /** The events of a request with these turns, to its end. */
  ask(turns: readonly Turn[], signal?: AbortSignal): Promise<readonly ProviderEvent[]>
}

/** A model over the agent. `parts` replaces what the session would do. */
export function modelOver({ agent }: ScriptedAgent, parts: Partial<AgentModelParts> = {}): ModelUnderTest {
  const steps = createAgentSteps()
  const model = createAgentModel({
    name: 'Scripted',
    signIn: '',
    steps,
    questions: createAgentQuestions({ canAsk: true }),
    connect: () => Promise.resolve({ ok: true, value: agent }),
    drop: () => Promise.resolve(),
    endCommands: () => Promise.resolve(),
    onTurn: () => Promise.resolve(),
    afterTurn: () => Promise.resolve(),
    takeTroubles: () => [],
    hasMore: () => Promise.resolve(false),
    modelRequests: () => 0,
    newTokens: () => null,
    isOutOfBudget: () => false,
    ...parts,
  })
  const provider: Provider = {
    id: 'rehearsal',
    stream: () => {
      throw new Error('No service answers.')
    },
  }
  return {
    model,
    steps,
    async ask(turns, signal = new AbortController().signal) {
      const events: ProviderEvent[] = []
      const request = { model: 'm', system: '', tools: [], effort: null, turns }
      for await (const event of model.request(provider, request, { signal, onScheduled: () => {} })) events.push(event)
      return events
    },
  }
}

export const userTurn = (content: string): Turn => ({ kind: 'user', content })
