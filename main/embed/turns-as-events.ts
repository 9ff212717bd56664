import { z } from 'zod'
import { newId, ToolCallId } from '../../shared/lib/ids.ts'
import { type ContentPart, NO_USAGE, type ToolCallPart } from '../../shared/session/content.ts'
import type { DurableEvent, SessionConfigured } from '../../shared/session/events.ts'
import { callEnd } from '../agent/dispatch/call-end.ts'
import { parseArguments } from '../agent/answer/parse-arguments.ts'
import type { App } from '../compose/app.ts'
import { createToolRegistry } from '../agent/tool-registry.ts'
import { badOption } from './agent-error.ts'

/** A part of an assistant's turn. Thinking and opaque parts are only valid for the model that wrote them, so they are left out. */
const part = z.union([
  z.object({ kind: z.literal('text'), text: z.string() }),
  z.object({ kind: z.literal('tool_call'), toolCallId: ToolCallId, toolName: z.string().min(1), argsText: z.string() }),
  z.object({ kind: z.enum(['thinking', 'opaque']) }),
])
const words = <K extends string>(kind: K) => z.object({ kind: z.literal(kind), content: z.string() })
const turnSchema = z.discriminatedUnion('kind', [
  words('user'),
  words('system'),
  words('steering'),
  z.object({ kind: z.literal('assistant'), content: z.array(part) }),
  z.object({
    kind: z.literal('tool_results'),
    results: z.array(z.object({ toolCallId: ToolCallId, output: z.string(), isError: z.boolean() })),
  }),
])

type ImportedTurn = z.infer<typeof turnSchema>

/**
 * Converts turns to events of a log, to be added after its SESSION_START. Known keys in results are hidden. Throws an `AgentError` that
 * says which turn is wrong: each call must have exactly one result, in the next turn.
 */
export function turnsAsEvents(turns: unknown, config: SessionConfigured, app: Pick<App, 'store' | 'redactor'>): readonly DurableEvent[] {
  const parsed = z.array(turnSchema).min(1).safeParse(turns)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw refused(`turns${issue?.path.map((key) => `[${String(key)}]`).join('') ?? ''}: ${issue?.message ?? 'not a list of turns'}`)
  }
  const events: DurableEvent[] = []
  let open: readonly ToolCallPart[] = []
  let isTurnOpen = false
  parsed.data.forEach((turn, index) => {
    if (open.length > 0 && turn.kind !== 'tool_results')
      throw refused(`turns[${index}] must contain the results of ${open.map(({ toolName }) => toolName).join(', ')}`)
    if (turn.kind === 'user') {
      if (isTurnOpen) events.push(ENDED)
      isTurnOpen = true
    } else if (!isTurnOpen) throw refused(`turns[${index}]: a conversation must begin with a user turn`)
    events.push(...eventsOf(turn, index, open, config, app))
    open = turn.kind === 'assistant' ? callsIn(turn) : []
  })
  if (open.length > 0) throw refused(`the last turn has calls without results: ${open.map(({ toolName }) => toolName).join(', ')}`)
  return [...events, ENDED]
}

const ENDED: DurableEvent = { kind: 'PROCESSING_END', reason: 'completed' }

const refused = (what: string): Error =>
  badOption(`This conversation cannot be imported: ${what}.`, 'Correct it and import it again; the type Turn describes the turns.')

function eventsOf(
  turn: ImportedTurn,
  index: number,
  open: readonly ToolCallPart[],
  config: SessionConfigured,
  app: Pick<App, 'store' | 'redactor'>,
): readonly DurableEvent[] {
  switch (turn.kind) {
    case 'user':
      return [{ kind: 'USER_INPUT', inputId: newId('in'), text: turn.content, delivery: 'prompt' }]
    case 'steering':
      return [{ kind: 'STEERING_INJECTED', inputId: newId('in'), text: turn.content, by: 'person' }]
    case 'system':
      return [{ kind: 'STEERING_INJECTED', inputId: newId('in'), text: turn.content, by: 'loop' }]
    case 'assistant':
      return answerEvents(turn, config)
    case 'tool_results':
      return resultEvents(turn, index, open, app)
  }
}

type Answer = Extract<ImportedTurn, { kind: 'assistant' }>

const partsIn = ({ content }: Answer): readonly ContentPart[] => content.flatMap((one) => ('text' in one || 'argsText' in one ? [one] : []))
const callsIn = (turn: Answer): readonly ToolCallPart[] => partsIn(turn).filter((one) => one.kind === 'tool_call')

function answerEvents(turn: Answer, { provider, model }: SessionConfigured): readonly DurableEvent[] {
  const calls = callsIn(turn)
  const stopReason = calls.length > 0 ? 'tool_calls' : 'stop'
  return [
    { kind: 'ASSISTANT_TURN', provider, model, parts: partsIn(turn), stopReason, responseId: null, usage: NO_USAGE, complete: true },
    ...calls.map(({ toolCallId, toolName, argsText }): DurableEvent => {
      const args = parseArguments(argsText, 'tool_calls')
      return { kind: 'TOOL_CALL_START', toolCallId, toolName, args: args.ok ? args.value : null }
    }),
  ]
}

function resultEvents(
  { results }: Extract<ImportedTurn, { kind: 'tool_results' }>,
  index: number,
  open: readonly ToolCallPart[],
  { store: { blobs }, redactor }: Pick<App, 'store' | 'redactor'>,
): readonly DurableEvent[] {
  const missing = open.filter(({ toolCallId }) => results.filter((result) => result.toolCallId === toolCallId).length !== 1)
  if (missing.length > 0)
    throw refused(`turns[${index}] must contain exactly one result per call: ${missing.map(({ toolCallId }) => toolCallId).join(', ')}`)
  return results.map(({ toolCallId, output, isError }) => {
    const called = open.find((call) => call.toolCallId === toolCallId)
    if (!called) throw refused(`turns[${index}] has a result for ${toolCallId}, but there is no such call`)
    const ended = {
      part: called,
      output: { output, isError, details: null },
      outcome: isError ? 'failed' : 'done',
      durationMs: null,
    } as const
    return callEnd(ended, { blobs, registry: createToolRegistry(), truncate: (_, text) => text, redactor })
  })
}
