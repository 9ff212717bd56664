import type { ReasonText } from '../../agent/reason.ts'
import { failure, failureWithAdvice } from '../../agent/tool-output.ts'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import { type Lease, NO_LEASE } from '../../../shared/session/settings/budget-lease.ts'
import type { ToolSpec } from '../../../shared/tools/spec/tool-spec.ts'
import {
  closeAgentSpec,
  sendInputSpec,
  type SpawnAgentInput,
  spawnAgentSpec,
  type SubagentDetails,
  taskSpec,
  waitSpec,
} from '../../../shared/tools/built-in/subagents.ts'
import type { AgentReport, Subagents } from '../../agent/ports/subagents.ts'
import type { PrepareContext, Prepared, RunContext, Tool, ToolOutput } from '../../agent/ports/tool.ts'
import { defineTool } from '../define/define-tool.ts'
import { fileFailure, locate, rejected, shownPath } from '../define/tool-path.ts'

/** The tools for subagents. The effects of subagents are signed in their own sessions. */
export function createSubagentTools(agents: Subagents): readonly Tool[] {
  return [
    defineTool(withTypes(taskSpec, agents), async ({ agent_type, prompt, model }) =>
      atOnce(async (run) => {
        const request = { toolCallId: run.toolCallId, agentType: agent_type, task: prompt, model: model ?? null, lease: NO_LEASE }
        const spawned = await agents.spawn({ ...request, workingDir: null, patient: true, signal: run.signal })
        if (!spawned.ok) return notSpawned(agents, agent_type, spawned.failure)
        const ended = await waited(agents, spawned.value, null, run)
        return ended.ok ? resultOf(ended.value, agent_type) : failure(ended.failure)
      }),
    ),
    defineTool(spawnAgentSpec, async (input, context) => {
      const folder = await workingFolder(input.working_dir, context)
      if (!folder.ok) return rejected(folder.failure)
      return atOnce(async (run) => {
        const agentType = input.agent_type ?? 'code'
        const { task, model = null } = input
        const request = { toolCallId: run.toolCallId, agentType, task, model, workingDir: folder.value, lease: leaseOf(input) }
        const spawned = await agents.spawn({ ...request, patient: false, signal: run.signal })
        if (!spawned.ok) return notSpawned(agents, agentType, spawned.failure)
        const details = { agentId: spawned.value, agentType, status: 'running', turnsUsed: 0, report: null } satisfies SubagentDetails
        return { output: JSON.stringify({ agent_id: spawned.value, status: 'running' }), isError: false, details }
      })
    }),
    defineTool(sendInputSpec, async ({ agent_id, message }) => atOnce(async () => outputOf(await agents.send(agent_id, message)))),
    defineTool(waitSpec, async ({ agent_id, timeout_ms }) =>
      atOnce(async (run) => outputOf(await waited(agents, agent_id, timeout_ms ?? null, run))),
    ),
    defineTool(closeAgentSpec, async ({ agent_id }) => atOnce(async () => outputOf(await agents.close(agent_id)))),
  ]
}

/** Names the kinds of subagents if the call named another one. */
function notSpawned(agents: Pick<Subagents, 'types'>, agentType: string, reason: string): ToolOutput {
  const kinds = agents.types().map(({ name }) => name)
  return kinds.includes(agentType) ? failure(reason) : failureWithAdvice(reason, `Available kinds: ${kinds.join(', ')}.`)
}

/** An existing folder in the project, with links resolved; null if the call gives no folder. */
async function workingFolder(named: string | undefined, context: PrepareContext): Promise<Result<string | null, ReasonText>> {
  if (named === undefined) return ok(null)
  const place = await locate(context, named)
  if (!place.ok) return place
  const { path, outside } = place.value
  if (outside) return failed(`${shownPath(named)} is outside the project. A subagent works inside it.`)
  try {
    const stat = await context.env.stat(path)
    return stat?.kind === 'folder' ? ok(path) : failed(`There is no folder ${shownPath(named)}.`)
  } catch (error) {
    return failed(`${shownPath(named)} cannot be used: ${fileFailure(error).message}`)
  }
}

/** Adds the kinds of subagents to the description, so that the model can choose one. */
function withTypes<S extends ToolSpec>(spec: S, agents: Subagents): S {
  const kinds = agents.types().map(({ name, description }) => `- ${name}: ${description}`)
  return { ...spec, description: [spec.description, 'Kinds of subagents:', ...kinds].join('\n') }
}

/** Prepares a call that starts, messages, awaits or closes a subagent. Such a call has no effects of its own. */
function atOnce(commit: (run: RunContext) => Promise<ToolOutput>): Prepared {
  return { kind: 'ready', effects: [], commit }
}

/** During the wait, the user sees what the subagent is doing. Stopping the turn stops the wait. */
async function waited(agents: Subagents, agentId: string, timeoutMs: number | null, run: RunContext): Promise<Result<AgentReport, string>> {
  return agents.wait(agentId, { timeoutMs, signal: run.signal, onAction: (words) => run.progress(words, 0) })
}

function leaseOf({ max_turns, max_tokens, max_cost_usd, max_minutes }: SpawnAgentInput): Lease {
  return { tokens: max_tokens ?? null, costUsd: max_cost_usd ?? null, minutes: max_minutes ?? null, turns: max_turns || null }
}

function resultOf(report: AgentReport, agentType: string): ToolOutput {
  const details = {
    agentId: report.agentId,
    agentType,
    status: shownStatus(report),
    turnsUsed: report.turnsUsed,
    report: null,
  } satisfies SubagentDetails
  const words = report.why === null ? report.output : `The ${agentType} subagent did not finish: ${report.why}\n${report.output}`
  return {
    output: [words.trim() || 'The subagent ended without a report.', inFolder(report)].filter(Boolean).join('\n'),
    isError: !report.success,
    details,
    ...changesOf(report),
  }
}

const changesOf = ({ changes }: AgentReport): Pick<ToolOutput, 'layerChanges'> => (changes ? { layerChanges: changes } : {})

/** A sentence with the reason why the subagent had no copy of its own. Empty if there is no reason. */
const inFolder = ({ noOwnCopy }: AgentReport): string =>
  noOwnCopy === null ? '' : `The subagent worked in the folder itself, where only one subagent may write at a time: ${noOwnCopy}`

const shownStatus = ({ stopped, status }: AgentReport): SubagentDetails['status'] => (stopped ? 'stopped' : status)

function outputOf(result: Result<AgentReport, string>): ToolOutput {
  if (!result.ok) return failure(result.failure)
  const { agentId, status, output, success, turnsUsed, why, noOwnCopy } = result.value
  const details = { agentId, agentType: null, status: shownStatus(result.value), turnsUsed, report: output } satisfies SubagentDetails
  return {
    output: JSON.stringify({
      agent_id: agentId,
      status,
      output,
      success,
      turns_used: turnsUsed,
      ...(why && { why }),
      ...(noOwnCopy !== null && { note: inFolder(result.value) }),
    }),
    isError: false,
    details,
    ...changesOf(result.value),
  }
}
