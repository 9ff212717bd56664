import type { ToolCallId } from '../../../shared/lib/ids.ts'
import { NO_TIME_LIMIT_MS } from '../../../shared/session/effects.ts'
import type { Todo } from '../../../shared/session/todo.ts'
import { agentStepSpec } from '../../../shared/tools/built-in/agent-step.ts'
import type { Tool, ToolOutput } from '../../agent/ports/tool.ts'
import { defineTool } from '../define/define-tool.ts'

/** `tail`: the end of the output. `bytes`: the number of bytes of all of it. */
interface BegunOutput {
  readonly tail: string
  readonly bytes: number
}

/** A step that another agent has begun. */
interface BegunStep {
  /** What the agent has told of the output so far, and what is called when it tells more. */
  readonly output: BegunOutput
  onOutput: (output: BegunOutput) => void
  readonly ended: Promise<{ readonly output: string; readonly isError: boolean }>
}

export interface AgentStepParts<S extends BegunStep> {
  /** The name of the agent. */
  readonly agent: string
  readonly steps: {
    /** Null if the agent has not announced the step, for example before a restart. */
    taken(toolCallId: ToolCallId): S | null
    /** The agent's newest list of tasks, if it has changed since the last call of this. */
    newTodos(): readonly Todo[] | null
  }
  /** Called when a step has ended, before its changes are read. */
  onEnd(step: S): void
  /** Stops the agent. Called when the user stops a step. */
  stop(): Promise<void>
}

/** Maximum number of characters of the end of an output that is shown while the step runs. */
const TAIL_CHARS = 2_000

/** The tool whose calls are the steps of another agent: it waits for the end of the step. */
export function createAgentStepTool<S extends BegunStep>({ agent, steps, onEnd, stop }: AgentStepParts<S>): Tool {
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
        onEnd(step)
        return { output: end.output, isError: end.isError, details: { agent, kind } }
      },
    }),
  )
}

const LOST = 'The agent was ended before this step was over.'
