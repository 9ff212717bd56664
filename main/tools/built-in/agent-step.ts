import type { ToolCallId } from '../../../shared/lib/ids.ts'
import { type AskedHost, NO_TIME_LIMIT_MS } from '../../../shared/session/effects.ts'
import type { Todo } from '../../../shared/session/todo.ts'
import { agentStepSpec, type ReadAt } from '../../../shared/tools/built-in/agent-step.ts'
import type { Tool, ToolOutput } from '../../agent/ports/tool.ts'
import { defineTool } from '../define/define-tool.ts'

/** `tail`: the end of the output. `bytes`: the number of bytes of all of it. */
interface BegunOutput {
  readonly tail: string
  readonly bytes: number
}

/** A step that a third-party agent has begun. */
interface BegunStep {
  /** The output that the agent has reported so far. `onOutput` is called when it reports more. */
  readonly output: BegunOutput
  onOutput: (output: BegunOutput) => void
  readonly ended: Promise<{ readonly output: string; readonly isError: boolean }>
}

export interface AgentStepParts<S extends BegunStep> {
  /** The name of the agent. */
  readonly agent: string
  readonly steps: {
    /** Null if the step is not known, for example after a restart. */
    taken(toolCallId: ToolCallId): S | null
    /** The agent's task list. Null if it has not changed since the last call. */
    newTodos(): readonly Todo[] | null
  }
  /** Called when a step has ended, before its changes are read. Returns what keeps the agent from going on meanwhile. */
  onEnd(step: S): ReadAt
  /** The hosts that were asked for since the last call. */
  takeHosts(): readonly AskedHost[]
  /** Stops the agent. Called when the user stops a step. */
  stop(): Promise<void>
}

/** Maximum number of characters of the output, from its end, that are shown while the step runs. */
const TAIL_CHARS = 2_000

/** The tool whose calls are the steps of a third-party agent. A call waits until the agent has ended the step. */
export function createAgentStepTool<S extends BegunStep>({ agent, steps, onEnd, takeHosts, stop }: AgentStepParts<S>): Tool {
  return defineTool(agentStepSpec, ({ title, kind }, { env }) =>
    Promise.resolve({
      kind: 'ready',
      effects: [
        {
          kind: 'command',
          command: `${agent}: ${title}`,
          cwd: env.workingDirectory(),
          outside: false,
          env: {},
          timeoutMs: NO_TIME_LIMIT_MS,
          destructive: false,
        },
      ],
      async commit({ toolCallId, signal, progress, session }): Promise<ToolOutput> {
        const todos = steps.newTodos()
        if (todos !== null) session.setTodos(todos)
        const step = steps.taken(toolCallId)
        if (step === null) return { output: LOST, isError: true, details: { agent, kind } }
        const show = ({ tail, bytes }: BegunOutput): void => progress(tail.slice(-TAIL_CHARS), bytes)
        step.onOutput = show
        if (step.output.bytes > 0) show(step.output)
        const stopped = new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }))
        const end = signal.aborted ? null : await Promise.race([step.ended, stopped])
        step.onOutput = () => {}
        if (end === null) {
          await stop()
          throw signal.reason
        }
        const hosts = takeHosts()
        const details = { agent, kind, readAt: onEnd(step), ...(hosts.length > 0 && { hosts: hosts.map((host) => ({ ...host })) }) }
        return { output: end.output, isError: end.isError, details }
      },
    }),
  )
}

const LOST = 'The agent ended before this step was over.'
