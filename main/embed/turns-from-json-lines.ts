import { z } from 'zod'
import { ToolCallId } from '../../shared/lib/ids.ts'
import type { DurableEvent } from '../../shared/session/events.ts'
import { createTranscript } from '../agent/record/transcript.ts'
import { badOption } from './agent-error.ts'
import { seedTurn, type Turn } from './conversation-types.ts'

const line = z.object({
  /** Null for live events, which repeat the content of a stored event. */
  seq: z.number().nullable(),
  sessionId: z.string(),
  event: z.looseObject({ kind: z.string() }),
})

const parts = z.array(z.looseObject({ kind: z.string() }))
const output = z.union([z.string(), parts])

/** The events that a conversation consists of. All others are skipped. */
const conversation: Readonly<Partial<Record<DurableEvent['kind'], z.ZodType>>> = {
  USER_INPUT: z.looseObject({ text: z.string() }),
  STEERING_INJECTED: z.looseObject({ text: z.string() }),
  ASSISTANT_TURN: z.looseObject({ parts, complete: z.boolean() }),
  TOOL_CALL_END: z.looseObject({ toolCallId: ToolCallId, output, modelText: output.nullish(), isError: z.boolean() }),
}

/**
 * Reads the conversation from the JSON lines of one session, as `npm run agent -- --json` prints them. An answer that broke off, and
 * calls at the end without results, are left out. Throws an `AgentError` that gives the number of the wrong line.
 */
export function turnsFromJsonLines(text: string): readonly Turn[] {
  const transcript = createTranscript()
  let session: string | null = null
  for (const [index, json] of text.split('\n').entries()) {
    if (json.trim() === '') continue
    const { seq, sessionId, event } = parsed(line, json, index)
    session ??= sessionId
    if (session !== sessionId)
      throw refused(index, `it belongs to session ${sessionId}, but the lines before it belong to session ${session}`)
    const schema = conversation[event.kind as DurableEvent['kind']]
    if (seq === null || !schema) continue
    checked(schema, event, index)
    transcript.add(event as unknown as DurableEvent)
  }
  return transcript.all().map(seedTurn)
}

function parsed<T>(schema: z.ZodType<T>, json: string, index: number): T {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    throw refused(index, 'it is not JSON')
  }
  return checked(schema, value, index)
}

function checked<T>(schema: z.ZodType<T>, value: unknown, index: number): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw refused(index, `${issue?.path.join('.') || 'it'}: ${issue?.message ?? 'it is not a line of a session'}`)
}

const refused = (index: number, why: string): Error =>
  badOption(`Line ${index + 1} cannot be imported: ${why}.`, 'Pass the unchanged output of one session, as text.')
