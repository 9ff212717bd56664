import { z } from 'zod'
import type { ToolSpec } from './tool-spec.ts'

const AgentId = z.string().min(1).describe('Id of the subagent.')

export const TaskInput = z.object({
  agent_type: z.string().min(1).describe('Kind of subagent.'),
  prompt: z.string().min(1).describe('The complete task. The subagent does not see this conversation.'),
  description: z.string().optional().describe('Three to five words for the developer who watches.'),
  model: z.string().optional().describe('Another model from the same provider. Default: your model.'),
})
export type TaskInput = z.infer<typeof TaskInput>

export const SpawnAgentInput = z.object({
  task: z.string().min(1).describe('The complete task. The subagent does not see this conversation.'),
  agent_type: z.string().optional().describe('Kind of subagent, as for task. Default: code.'),
  working_dir: z.string().optional().describe('Folder of the project to work in. Default: the whole project.'),
  model: z.string().optional().describe('Another model from the same provider. Default: your model.'),
  max_turns: z.number().int().min(0).optional().describe('Maximum number of model responses. Default: no limit.'),
  max_tokens: z.number().int().min(1).optional().describe('Maximum number of tokens.'),
  max_cost_usd: z.number().positive().optional().describe('Maximum cost in US dollars.'),
  max_minutes: z.number().min(0.1).optional().describe('Maximum number of minutes.'),
})
export type SpawnAgentInput = z.infer<typeof SpawnAgentInput>

export const SendInputInput = z.object({
  agent_id: AgentId,
  message: z.string().min(1).describe('The message. If the subagent is working, it gets the message when its current turn ends.'),
})
export const WaitInput = z.object({
  agent_id: AgentId,
  timeout_ms: z
    .number()
    .int()
    .min(1)
    .max(3_600_000)
    .optional()
    .describe('Stop waiting after this many milliseconds. The subagent continues.'),
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
  description: 'Starts a subagent, waits until it is done and returns its report.',
  input: TaskInput,
} satisfies ToolSpec<typeof TaskInput>

export const spawnAgentSpec = {
  name: 'spawn_agent',
  verb: 'Spawn',
  description: 'Starts a subagent and returns its id at once.',
  input: SpawnAgentInput,
} satisfies ToolSpec<typeof SpawnAgentInput>

export const sendInputSpec = {
  name: 'send_input',
  verb: 'Tell',
  description: 'Sends a message to a subagent that was spawned.',
  input: SendInputInput,
} satisfies ToolSpec<typeof SendInputInput>

export const waitSpec = {
  name: 'wait',
  verb: 'Wait for',
  description: 'Waits until a spawned subagent is done and returns {output, success, turns_used, status}.',
  input: WaitInput,
} satisfies ToolSpec<typeof WaitInput>

export const closeAgentSpec = {
  name: 'close_agent',
  verb: 'Close',
  description: 'Stops a spawned subagent for good and returns its last state.',
  input: CloseAgentInput,
} satisfies ToolSpec<typeof CloseAgentInput>
