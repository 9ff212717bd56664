import { z } from 'zod'
import { titleOfRequest } from '../../session/session-title.ts'
import { named, rename, timeout } from '../foreign-arguments/argument-aliases.ts'
import { each } from '../foreign-arguments/argument-refusals.ts'
import { parsedAs, toolSpec } from '../spec/tool-spec.ts'
import { type CallFacts, type CallLine, callLine, textArgument } from '../spec/call-line.ts'

const AgentId = z.string().min(1).describe('Id of the subagent.')

const TaskInput = z.object({
  agent_type: z.string().min(1).describe('Kind of subagent.'),
  prompt: z.string().min(1).describe('The complete task. The subagent does not see this conversation.'),
  description: z.string().optional().describe('Three to five words for the developer who watches.'),
  model: z.string().optional().describe('Another model from the same provider. Default: your model.'),
})
type TaskInput = z.infer<typeof TaskInput>

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

const SendInputInput = z.object({
  agent_id: AgentId,
  message: z.string().min(1).describe('The message. If the subagent is working, it gets the message when its current turn ends.'),
})
const WaitInput = z.object({
  agent_id: AgentId,
  timeout_ms: z
    .number()
    .int()
    .min(1)
    .max(3_600_000)
    .optional()
    .describe('Stop waiting after this many milliseconds. The subagent continues.'),
})
const CloseAgentInput = z.object({ agent_id: AgentId })

export const SubagentDetails = z.object({
  /** The subagent's session. */
  agentId: z.string(),
  agentType: z.string().nullable().default(null),
  /** `stopped`: by the user, so it is not a failure. */
  status: z.enum(['running', 'completed', 'failed', 'stopped']),
  turnsUsed: z.number().default(0),
  /** The subagent's answer. Null if there is none, or if the output of the call is exactly this answer. */
  report: z.string().nullable().default(null),
})
export type SubagentDetails = z.infer<typeof SubagentDetails>

const AGENT = named(['subagent_type', 'agentType', 'type'], rename('agent_type'))
const AGENT_ID = named(['id', 'agentId'], rename('agent_id'))
const TASK_TEXT = ['instruction', 'message'] as const

/** What the specs of all tools in this file have in common. */
const ABOUT_SUBAGENT = {
  details: SubagentDetails,
  line: (call: CallFacts, details: SubagentDetails | null) => subagentLine(call, details?.agentType ?? null),
} as const

export const taskSpec = toolSpec({
  name: 'task',
  verb: 'Start',
  description: 'Starts a subagent, waits until it is done and returns its report.',
  use: 'Use it if you need the report before you continue.',
  input: TaskInput,
  ...ABOUT_SUBAGENT,
  otherNames: ['Task', 'Agent'],
  aliases: { ...AGENT, ...named([...TASK_TEXT, 'task'], rename('prompt')) },
  refuses: each(['resume', 'resume_from'], { why: 'To continue with a subagent, spawn it and send it more input.' }),
})

/** Names that models write for the limits. A limit that is not understood would be no limit. */
const LIMITS = {
  ...named(
    ['max_usd', 'max_cost', 'max_dollars', 'cost_limit', 'cost_limit_usd', 'max_budget', 'max_budget_usd', 'budget', 'budget_usd'],
    rename('max_cost_usd'),
  ),
  ...named(['turns', 'turn_limit', 'max_rounds', 'max_steps', 'max_iterations', 'max_requests'], rename('max_turns')),
  ...named(['tokens', 'token_limit', 'token_budget', 'max_total_tokens'], rename('max_tokens')),
  ...named(['minutes', 'minute_limit', 'max_time_minutes', 'time_limit_minutes', 'timeout_minutes', 'timeout_min'], rename('max_minutes')),
} as const

export const spawnAgentSpec = toolSpec({
  name: 'spawn_agent',
  verb: 'Start',
  description: 'Starts a subagent and returns its id at once.',
  use: 'Use it if you can continue while the subagent works.',
  input: SpawnAgentInput,
  ...ABOUT_SUBAGENT,
  aliases: {
    ...AGENT,
    ...named([...TASK_TEXT, 'prompt'], rename('task')),
    ...named(['cwd', 'workdir'], rename('working_dir')),
    ...LIMITS,
  },
})

export const sendInputSpec = toolSpec({
  name: 'send_input',
  verb: 'Tell',
  description: 'Sends a message to a subagent that was spawned.',
  use: 'Use it to correct or extend the task of a spawned subagent.',
  input: SendInputInput,
  ...ABOUT_SUBAGENT,
  aliases: { ...AGENT_ID, ...named(['input', 'instruction', 'prompt', 'text'], rename('message')) },
})

export const waitSpec = toolSpec({
  name: 'wait',
  verb: 'Wait for',
  description: 'Waits until a spawned subagent is done and returns {output, success, turns_used, status}.',
  use: 'Use it to get the report of a spawned subagent.',
  input: WaitInput,
  ...ABOUT_SUBAGENT,
  aliases: { ...AGENT_ID, timeout },
})

export const closeAgentSpec = toolSpec({
  name: 'close_agent',
  verb: 'Close',
  description: 'Stops a spawned subagent for good and returns its last state.',
  use: 'Use it if a spawned subagent is no longer needed.',
  input: CloseAgentInput,
  ...ABOUT_SUBAGENT,
  aliases: AGENT_ID,
})

const SUBAGENT_TOOLS: ReadonlyMap<string, { readonly verb: string }> = new Map(
  [taskSpec, spawnAgentSpec, sendInputSpec, waitSpec, closeAgentSpec].map((spec) => [spec.name, spec]),
)

/** Whether a call starts or uses a subagent. */
export const isSubagentCall = ({ toolName }: Pick<CallFacts, 'toolName'>): boolean => SUBAGENT_TOOLS.has(toolName)

/** Whether a call starts a subagent. */
export const startsSubagent = ({ toolName }: Pick<CallFacts, 'toolName'>): boolean =>
  toolName === taskSpec.name || toolName === spawnAgentSpec.name

/** The details of a call to a subagent. Null for other calls, and before the call has ended. */
export function subagentDetails(call: CallFacts): SubagentDetails | null {
  return isSubagentCall(call) ? parsedAs(SubagentDetails, call.details) : null
}

/** The line of a call to a subagent: "Start an explore agent: Look at the dates". `agentType` is null if it is not known. */
export function subagentLine(call: CallFacts, agentType: string | null): CallLine {
  const asked = textArgument(call, 'agent_type') || (call.toolName === spawnAgentSpec.name ? 'code' : '')
  const kind = agentType ?? asked
  const article = startsSubagent(call) ? (/^[aeiou]/iu.test(kind) ? 'an' : 'a') : 'the'
  const subject = kind === '' ? 'an agent' : `${article} ${kind} agent`
  return { ...callLine(SUBAGENT_TOOLS.get(call.toolName)?.verb ?? '', subject), message: taskTitle(call) }
}

/** A short form of the task or message. If the call has a description, the description is used. Empty if there is no text. */
export function taskTitle(call: CallFacts): string {
  const text = ['description', 'prompt', 'task', 'message'].map((name) => textArgument(call, name)).find((one) => one !== '') ?? ''
  return titleOfRequest({ text })
}
