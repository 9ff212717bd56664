import { z } from 'zod'
import type { ToolSpec } from './tool-spec.ts'

const AgentId = z.string().min(1).describe('The id that spawn_agent gave.')

export const TaskInput = z.object({
  agent_type: z.string().min(1).describe('Which kind of agent, by its name.'),
  prompt: z.string().min(1).describe('The whole task: the agent sees nothing of this conversation.'),
  description: z.string().optional().describe('Three to five words for the person who watches.'),
  model: z.string().optional().describe('Another model of the same provider.'),
})
export type TaskInput = z.infer<typeof TaskInput>

export const SpawnAgentInput = z.object({
  task: z.string().min(1).describe('The whole task: the agent sees nothing of this conversation.'),
  agent_type: z.string().optional().describe('Which kind of agent, by its name; code when left out.'),
  working_dir: z.string().optional().describe('Folder of the project to work in; the whole project when left out.'),
  model: z.string().optional().describe('Another model of the same provider.'),
  max_turns: z.number().int().min(0).optional().describe('Answers it may give; 0: no limit of its own.'),
  max_tokens: z.number().int().min(1).optional().describe('Tokens it may use up.'),
  max_minutes: z.number().min(0.1).optional().describe('Minutes it may take.'),
})
export type SpawnAgentInput = z.infer<typeof SpawnAgentInput>

export const SendInputInput = z.object({
  agent_id: AgentId,
  message: z.string().min(1).describe('What to tell it. It begins a turn, or waits for the end of the running one.'),
})
export const WaitInput = z.object({
  agent_id: AgentId,
  timeout_ms: z.number().int().min(1).max(3_600_000).optional().describe('Give up waiting after this; it goes on.'),
})
export const CloseAgentInput = z.object({ agent_id: AgentId })

/** What an entry of the ledger shows of a subagent; `agentId` is its session. */
export interface SubagentDetails {
  readonly agentId: string
  readonly agentType: string | null
  /** `stopped`: by the person, which is no failure. */
  readonly status: 'running' | 'completed' | 'failed' | 'stopped'
  readonly turnsUsed: number
}

export const taskSpec = {
  name: 'task',
  verb: 'Delegate',
  description:
    'Gives a task to a subagent, waits for it and returns its last answer. Agents that only read may run side by side in one round; one that may write runs at a time.',
  input: TaskInput,
} satisfies ToolSpec<typeof TaskInput>

export const spawnAgentSpec = {
  name: 'spawn_agent',
  verb: 'Spawn',
  description: 'Starts a subagent with a task of its own and returns its id at once, while it works. Use wait for its result.',
  input: SpawnAgentInput,
} satisfies ToolSpec<typeof SpawnAgentInput>

export const sendInputSpec = {
  name: 'send_input',
  verb: 'Tell',
  description: 'Sends a message to a subagent.',
  input: SendInputInput,
} satisfies ToolSpec<typeof SendInputInput>

export const waitSpec = {
  name: 'wait',
  verb: 'Wait for',
  description: 'Waits until a subagent is done and returns {output, success, turns_used, status}.',
  input: WaitInput,
} satisfies ToolSpec<typeof WaitInput>

export const closeAgentSpec = {
  name: 'close_agent',
  verb: 'Close',
  description: 'Stops a subagent for good and returns how it stood.',
  input: CloseAgentInput,
} satisfies ToolSpec<typeof CloseAgentInput>
