import type { SessionUpdate, ToolCallContent } from '@agentclientprotocol/sdk'
import type { SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import type { DurableEvent, SessionEvent } from '../../../shared/session/events.ts'
import { commandDetails, runsCommand } from '../../../shared/tools/catalogue.ts'
import { type Blobs, fenced, kindOf, locationsOf, madeDiffs, proposedDiffs, type StartedCall, titleOf, words } from './tool-call-content.ts'

export interface CallUpdateParts {
  /** The folder of the session. */
  readonly cwd: string
  readonly blobs: Blobs
  /** Whether the editor can show the output of our own commands as a terminal. */
  readonly showsTerminals: boolean
}

/** A call that has not ended. */
interface OpenCall extends StartedCall {
  /** What the call would change or has changed. */
  readonly diffs: readonly ToolCallContent[]
}

type CallEvent = Extract<SessionEvent, { toolCallId: ToolCallId }>

/** The id of a call for the editor, unique among the calls of the session and its subagents. */
export const callIdOf = (own: SessionId, by: SessionId, toolCallId: ToolCallId): string => (by === own ? toolCallId : `${by}/${toolCallId}`)

/** Translates the events of calls for an editor. */
export function createCallUpdates({ cwd, blobs, showsTerminals }: CallUpdateParts) {
  const open = new Map<string, OpenCall>()

  const started = (event: Extract<CallEvent, { kind: 'TOOL_CALL_START' }>, toolCallId: string): readonly SessionUpdate[] => {
    const call: OpenCall = { toolName: event.toolName, args: event.args, diffs: [] }
    open.set(toolCallId, call)
    return [
      {
        sessionUpdate: 'tool_call',
        toolCallId,
        title: titleOf(call),
        kind: kindOf(call),
        status: 'pending',
        locations: locationsOf(call, cwd),
        rawInput: event.args ?? {},
      },
    ]
  }

  const ended = (event: Extract<DurableEvent, { kind: 'TOOL_CALL_END' }>, call: OpenCall, toolCallId: string): SessionUpdate => {
    const { output, outcome } = event
    const diffs = outcome === 'done' ? call.diffs : []
    const common = {
      sessionUpdate: 'tool_call_update',
      toolCallId,
      status: outcome === 'done' ? 'completed' : 'failed',
      rawOutput: { output },
    } as const
    if (runsCommand(call) && showsTerminals) {
      const terminalId = `terminal-${toolCallId}`
      const exitCode = commandDetails({ ...call, details: event.details })?.exitCode ?? null
      return {
        ...common,
        content: [{ type: 'terminal', terminalId }, ...diffs],
        _meta: {
          terminal_info: { terminal_id: terminalId, cwd },
          terminal_output: { terminal_id: terminalId, data: output.replace(/\r?\n/gu, '\r\n') },
          terminal_exit: { terminal_id: terminalId, exit_code: exitCode, signal: null },
        },
      }
    }
    // The output of an edit says the same as its diff.
    const isSaid = output !== '' && (diffs.length === 0 || runsCommand(call))
    return { ...common, content: [...diffs, ...(isSaid ? [isPlain(call) ? fenced(output) : words(output)] : [])] }
  }

  return {
    /** `toolCallId`: the editor's id of the call (`callIdOf`). */
    of(event: CallEvent, toolCallId: string): readonly SessionUpdate[] {
      if (event.kind === 'TOOL_CALL_START') return started(event, toolCallId)
      const call = open.get(toolCallId)
      if (!call) return []
      const update = { sessionUpdate: 'tool_call_update', toolCallId } as const
      switch (event.kind) {
        case 'APPROVAL_REQUESTED':
        case 'TOOL_EXECUTION_START': {
          const next: OpenCall = { ...call, effects: event.effects, diffs: proposedDiffs(event.effects, blobs) }
          open.set(toolCallId, next)
          const isRunning = event.kind === 'TOOL_EXECUTION_START'
          return [
            {
              ...update,
              title: titleOf(next),
              locations: locationsOf(next, cwd),
              ...(next.diffs.length > 0 && { content: [...next.diffs] }),
              ...(isRunning && { status: 'in_progress' as const }),
            },
          ]
        }
        case 'COPY_STARTED':
          return [{ ...update, status: 'in_progress' }]
        case 'TOOL_CALL_OUTPUT_DELTA':
          return event.tail === '' ? [] : [{ ...update, content: [...call.diffs, fenced(event.tail)] }]
        case 'FILES_CHANGED': {
          const diffs = madeDiffs(event.files, blobs)
          open.set(toolCallId, { ...call, diffs })
          return [{ ...update, locations: event.files.map(({ path }) => ({ path })), content: diffs }]
        }
        case 'TOOL_CALL_END':
          open.delete(toolCallId)
          return [ended(event, call, toolCallId)]
        default:
          return []
      }
    },
  }
}

/** Whether the output is that of a program or a file, which must not be rendered as Markdown. */
const isPlain = (call: StartedCall): boolean => ['execute', 'read', 'search'].includes(kindOf(call))
