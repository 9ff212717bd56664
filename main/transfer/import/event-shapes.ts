import { z } from 'zod'
import type { DurableEvent } from '../../../shared/session/events.ts'

const text = z.string()
const list = z.array(z.looseObject({}))
const call = { toolCallId: z.string().min(1).max(200) }
const blob = z.object({ hash: z.string(), bytes: z.number() })
const config = {
  provider: z.enum(['anthropic', 'openai', 'gemini', 'openai-compatible', 'rehearsal']),
  model: text,
  mode: z.enum(['plan', 'ask', 'accept-edits', 'auto', 'full']),
  effort: text.nullable(),
  baseUrl: text.nullable(),
}
const said = { text, inputId: text }
const trouble = z.looseObject({ code: text, what: text, kept: text, todo: text })
const args = z.record(text, z.unknown()).nullable()
const usage = z.looseObject({ input: z.number(), output: z.number(), cacheRead: z.number(), cacheWrite: z.number(), reasoning: z.number() })
const file = z.looseObject({ path: text, shown: text, before: text.nullable(), after: text.nullable() })
const mode = z.number().int().nullable()
const folders = z.array(z.looseObject({ path: text, shown: text, before: mode, after: mode })).optional()
const parts = z.array(
  z.union([
    z.looseObject({ kind: z.enum(['text', 'thinking']), text }),
    z.looseObject({ kind: z.literal('tool_call'), ...call, toolName: text, argsText: text }),
    z.looseObject({ kind: z.literal('opaque') }),
  ]),
)
const rollback = { rollbackId: text, target: z.looseObject({ kind: text }), files: z.array(file), folders, skipped: list, uncovered: list }

/** The members that the fold of each event needs. Other members may be missing, or be newer than this version. */
const SHAPES: Readonly<Record<DurableEvent['kind'], z.ZodRawShape>> = {
  SESSION_START: {
    sessionId: text,
    cwd: text,
    ...config,
    parent: z.looseObject({ sessionId: text, toolCallId: text, agentType: text }).optional(),
  },
  SESSION_CONFIGURED: {
    ...config,
    forTurn: z
      .looseObject({ command: text, back: z.looseObject({ provider: config.provider, model: text, effort: config.effort }) })
      .optional(),
  },
  SESSION_RENAMED: { name: text },
  SESSION_END: {},
  USER_INPUT: said,
  INPUT_QUEUED: said,
  INPUT_WITHDRAWN: { inputId: text },
  STOP_REQUESTED: {},
  RETRY_REQUESTED: {},
  RESUME_REQUESTED: {},
  STEERING_INJECTED: { ...said, by: text },
  PROCESSING_END: { reason: z.enum(['completed', 'stopped', 'limit', 'error', 'interrupted']) },
  REQUEST_CONTEXT: { system: blob, tools: blob },
  ASSISTANT_TURN: { parts, complete: z.boolean(), usage },
  USAGE: { turn: usage, total: usage, costUsd: z.number().nullable() },
  TOOL_CALL_START: { ...call, toolName: text, args },
  APPROVAL_REQUESTED: { ...call, approvalId: text, effects: list, hash: text, reason: text },
  APPROVAL_ANSWERED: { ...call, approvalId: text, answer: z.looseObject({ kind: text }) },
  TOOL_EXECUTION_START: { ...call, signedBy: z.looseObject({ kind: text }), effects: list },
  COPY_STARTED: { ...call, effects: list },
  COPY_ENDED: { ...call, effects: list, tail: text, blocked: z.array(text), leftOut: z.array(text) },
  COPY_FAILED: { ...call, reason: text.nullable() },
  FILES_CHANGED: { ...call, files: z.array(file), folders },
  TOOL_CALL_END: { ...call, toolName: text, output: text, outcome: text, isError: z.boolean() },
  ROLLBACK_STARTED: rollback,
  ROLLED_BACK: rollback,
  CONVERSATION_MOVED: { to: z.number(), todos: list, compactions: list },
  TODOS_CHANGED: { todos: list },
  TURN_LIMIT: { reason: text, limit: z.number() },
  LOOP_DETECTION: { message: text },
  CONTEXT_WARNING: { usagePercent: z.number() },
  COMPACTED: { text, kept: z.number() },
  COMPACTION_REQUESTED: { instructions: text, alone: z.boolean() },
  COMPACTION_UNDONE: {},
  HOOK_RAN: { hook: text.optional() },
  ERROR: { error: trouble },
  WARNING: { trouble },
}

const schemas = new Map(Object.entries(SHAPES).map(([kind, shape]) => [kind, z.looseObject(shape)]))

/** Whether this version understands an event of a file that anybody may have written. */
export function isDurableEvent(event: { readonly kind: string }): boolean {
  return schemas.get(event.kind)?.safeParse(event).success ?? false
}
