import { z } from 'zod'
import { BlobHash } from '../../../shared/lib/ids.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'
import { GIT_OPERATIONS } from '../../../shared/session/git-change.ts'
import { HOOK_EVENTS } from '../../../shared/session/hooks.ts'
import { RollbackTarget } from '../../../shared/session/rollback.ts'
import { APPROVAL_MODES } from '../../../shared/session/settings/approval-mode.ts'
import { EFFORTS } from '../../../shared/session/settings/model-facts.ts'
import { COURSES } from '../../../shared/workflow/workflow.ts'

const text = z.string()
const texts = z.array(text)
const number = z.number()
const flag = z.boolean()
const withdrawnFor = z.enum(['next-turn', 'undo', 'nothing-left', 'newer-request'])
const call = { toolCallId: text.min(1).max(200) }
const blob = z.looseObject({ hash: BlobHash, bytes: number })
const provider = z.enum(['anthropic', 'openai', 'gemini', 'openai-compatible', 'rehearsal'])
const answering = { provider, model: text, effort: z.enum(EFFORTS).nullable() }
const where = z.union([
  z.looseObject({ kind: z.literal('beside') }),
  z.looseObject({ kind: z.literal('bring-in'), from: text }),
  z.looseObject({ kind: z.literal('clone'), of: text }),
])
const config = {
  ...answering,
  mode: z.enum(APPROVAL_MODES),
  baseUrl: text.nullable(),
  course: z.enum(COURSES).optional(),
  where: where.optional(),
}
const trouble = z.looseObject({ code: text, what: text, kept: text, todo: text })
const args = z.record(text, z.unknown()).nullable()
const usage = z.looseObject({ input: number, output: number, cacheRead: number, cacheWrite: number, reasoning: number })
const lines = z.looseObject({ added: number, removed: number }).nullable()
const movedFrom = z.looseObject({ path: text, shown: text }).optional()

const files = z.array(
  z.looseObject({
    path: text,
    shown: text,
    before: BlobHash.nullable(),
    after: BlobHash.nullable(),
    beforeBytes: number,
    afterBytes: number,
    beforeMode: number.nullable(),
    afterMode: number.nullable(),
    lines,
    movedFrom,
  }),
)
const mode = number.int().nullable()
const folders = z.array(z.looseObject({ path: text, shown: text, before: mode, after: mode })).optional()
const unread = z.array(z.looseObject({ path: text, shown: text, why: text })).optional()
const compared = z.looseObject({ files: number, leftOut: texts }).optional()
const madeBy = z.looseObject({ command: text, compared, inBackground: flag.optional() }).optional()

const paths = z.array(z.looseObject({ path: text }))
const plan = z.looseObject({
  title: text,
  summary: text,
  files_to_create: paths,
  files_to_modify: paths,
  tests: paths,
  commands: texts,
  dependencies: texts,
  open_questions: texts,
  steps: z.array(z.looseObject({ id: text, title: text, details: text, files: texts, commands: texts, check: text })),
})
const pictures = z.array(z.looseObject({ kind: z.literal('picture'), mediaType: text, hash: BlobHash, bytes: number })).optional()
const said = {
  text,
  inputId: text,
  pictures,
  command: text.optional(),
  forTurn: z.looseObject({ command: text, model: text.optional(), effort: z.enum(EFFORTS).optional() }).optional(),
  plan: z.looseObject({ plan, condition: text.nullable() }).optional(),
}
const todos = z.array(z.looseObject({ id: text, content: text, status: text, priority: text }))
const receipt = { why: text, dropped: number, pinned: number, tokensBefore: number, tokensAfter: number }
const move = { to: number, todos, compactions: z.array(z.looseObject(receipt)), wholeWanted: flag, context: number }

const question = z.looseObject({
  question: text,
  header: text.optional(),
  multiSelect: flag.optional(),
  default: texts.optional(),
  options: z.array(z.looseObject({ label: text, description: text.optional() })).optional(),
})
const path = { path: text, shown: text, outside: flag, control: flag, ignored: text.optional() }
const sides = z.looseObject({ base: BlobHash, own: BlobHash, regions: z.array(z.looseObject({})) }).optional()
const effects = z.array(
  z.discriminatedUnion('kind', [
    z.looseObject({
      kind: z.literal('write'),
      ...path,
      before: BlobHash.nullable(),
      after: BlobHash,
      beforeBytes: number,
      afterBytes: number,
      lines,
      mode: number.optional(),
      conflict: sides,
      movedFrom,
    }),
    z.looseObject({ kind: z.literal('delete'), ...path, before: BlobHash, beforeBytes: number }),
    z.looseObject({ kind: z.literal('permissions'), ...path, before: number, after: number }),
    z.looseObject({ kind: z.literal('link'), ...path, before: text.nullable(), after: text.nullable() }),
    z.looseObject({ kind: z.literal('folder'), ...path, change: z.enum(['created', 'deleted']) }),
    z.looseObject({
      kind: z.literal('command'),
      command: text,
      cwd: text,
      env: z.record(text, text),
      timeoutMs: number,
      changeSet: BlobHash.optional(),
      subagent: z.looseObject({ agentId: text, agentType: text }).optional(),
      parts: z.array(z.looseObject({ operator: text, text })).optional(),
      starts: texts.optional(),
      reaches: z.array(z.looseObject({ shown: text })).optional(),
      executes: z.array(z.looseObject({ path: text, shown: text, hash: text })).optional(),
    }),
    z.looseObject({ kind: z.literal('read'), ...path }),
    z.looseObject({ kind: z.literal('network'), url: text, host: text }),
    z.looseObject({ kind: z.literal('mode'), to: z.enum(APPROVAL_MODES), plan: text.nullable(), document: plan.optional() }),
    z.looseObject({
      kind: z.literal('question'),
      questions: z.array(question),
      from: z.looseObject({ server: text, message: text, optional: z.array(number), address: text.nullable() }).optional(),
    }),
    z.looseObject({ kind: z.literal('review'), steps: z.array(z.looseObject({ id: text, title: text })), calls: z.array(number) }),
    z.looseObject({ kind: z.literal('unknown'), summary: text, tool: z.looseObject({ name: text, arguments: text }).optional() }),
  ]),
)
const amendedFiles = z.array(z.looseObject({ path: text, shown: text }))

const answer = z.discriminatedUnion('kind', [
  z.looseObject({
    kind: z.literal('signed'),
    amended: z.looseObject({ effects, hash: text, files: amendedFiles }).optional(),
    reply: z
      .discriminatedUnion('kind', [
        z.looseObject({ kind: z.literal('answers'), answers: z.array(z.looseObject({ chosen: texts, text })) }),
        z.looseObject({ kind: z.literal('plan'), plan, condition: text.nullable(), asksOutside: flag }),
        z.looseObject({ kind: z.literal('add_to_plan') }),
      ])
      .optional(),
  }),
  z.looseObject({ kind: z.literal('refused'), note: text.nullable(), by: text, later: amendedFiles.optional() }),
  z.looseObject({ kind: z.literal('withdrawn'), why: text }),
])
const signedBy = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('person') }),
  z.looseObject({ kind: z.literal('mode'), mode: text }),
  z.looseObject({ kind: z.literal('rule'), rule: text }),
  z.looseObject({ kind: z.literal('hook'), command: text }),
  z.looseObject({ kind: z.literal('layer') }),
])

const gitFiles = z.array(
  z.looseObject({
    status: text,
    path: text,
    from: text.optional(),
    stored: z.looseObject({ before: BlobHash.nullable(), after: BlobHash.nullable() }).optional(),
  }),
)
const commit = { hash: text, subject: text }
const git = z
  .looseObject({
    head: z.looseObject({ before: text, after: text }).nullable(),
    commits: z.array(z.looseObject({ ...commit, author: text, files: gitFiles.nullable() })),
    lost: z.array(z.looseObject(commit)),
    refs: z.array(z.looseObject({ kind: text, name: text, before: text.nullable(), after: text.nullable(), leaves: number })),
    staged: gitFiles,
    unstaged: gitFiles,
    begun: z.enum(GIT_OPERATIONS).nullable(),
  })
  .optional()
const copyOutcome = {
  effects,
  changeSet: blob.nullable(),
  result: blob.nullable(),
  tail: text,
  exitCode: number.nullable(),
  durationMs: number,
  blocked: texts,
  reached: texts.optional(),
  leftOut: texts,
  dropped: text.nullable(),
  unfit: text.optional(),
  notes: texts.optional(),
  git,
}

const parts = z.array(
  z.discriminatedUnion('kind', [
    z.looseObject({ kind: z.enum(['text', 'thinking']), text }),
    z.looseObject({ kind: z.literal('tool_call'), ...call, toolName: text, argsText: text }),
    z.looseObject({ kind: z.literal('opaque') }),
  ]),
)
const modelText = z.union([
  text,
  z.array(
    z.discriminatedUnion('kind', [
      z.looseObject({ kind: z.literal('text'), text }),
      z.looseObject({ kind: z.enum(['image', 'document']), mediaType: text, data: text }),
    ]),
  ),
])
const parent = z.looseObject({
  sessionId: text,
  ...call,
  agentType: text,
  depth: number,
  readsOnly: flag,
  tools: texts.optional(),
  excludedTools: texts.optional(),
  workingDir: text.optional(),
  lease: z.looseObject({ tokens: number.nullable(), costUsd: number.nullable(), minutes: number.nullable(), turns: number.nullable() }),
})
const rollback = {
  rollbackId: text,
  target: RollbackTarget,
  files,
  folders,
  conversation: z.looseObject(move).optional(),
  skipped: z.array(z.looseObject({ path: text, shown: text, why: text })),
  uncovered: z.array(z.looseObject({ shown: text, why: text, step: number })),
}

/** The members on which this app relies, for each event. An event may have more members, because its version may be newer. */
const SHAPES: Readonly<Record<DurableEvent['kind'], z.ZodRawShape>> = {
  SESSION_START: { sessionId: text, cwd: text, ...config, parent: parent.optional() },
  SESSION_CONFIGURED: {
    ...config,
    was: z.looseObject(answering).optional(),
    forTurn: z.looseObject({ command: text, back: z.looseObject(answering) }).optional(),
  },
  SESSION_RENAMED: { name: text },
  SESSION_END: {},
  USER_INPUT: { ...said, delivery: z.enum(['prompt', 'follow-up']) },
  INPUT_QUEUED: { ...said, delivery: z.enum(['steer', 'queue']) },
  INPUT_WITHDRAWN: { inputId: text },
  STOP_REQUESTED: { withdrawn: withdrawnFor.optional() },
  RETRY_REQUESTED: {},
  RESUME_REQUESTED: {},
  STEERING_INJECTED: { ...said, by: text },
  PROCESSING_END: {
    reason: z.enum(['completed', 'stopped', 'limit', 'error', 'interrupted']),
    withdrawn: withdrawnFor.optional(),
    asks: flag.optional(),
  },
  REQUEST_CONTEXT: { system: blob, tools: blob },
  ASSISTANT_TURN: { provider, model: text, parts, stopReason: text, complete: flag, usage },
  USAGE: { turn: usage, total: usage, costUsd: number.nullable() },
  TOOL_CALL_START: { ...call, toolName: text, args },
  APPROVAL_REQUESTED: { ...call, approvalId: text, effects, hash: text, reason: text, destructive: flag },
  APPROVAL_ANSWERED: { ...call, approvalId: text, answer },
  TOOL_EXECUTION_START: { ...call, signedBy, effects },
  COPY_STARTED: { ...call, effects },
  COPY_ENDED: { ...call, ...copyOutcome },
  COPY_FAILED: { ...call, reason: text.nullable(), result: blob.optional() },
  FILES_CHANGED: { ...call, files, folders, unread, madeBy },
  TOOL_CALL_END: {
    ...call,
    toolName: text,
    output: text,
    outputBlob: blob.nullable(),
    advice: text.optional(),
    modelText: modelText.nullable(),
    isError: flag,
    outcome: z.enum(['done', 'failed', 'refused', 'barred', 'interrupted', 'stopped']),
    durationMs: number.nullable(),
    saw: z.array(z.looseObject({ path: text, hash: BlobHash })).optional(),
  },
  ROLLBACK_STARTED: rollback,
  ROLLED_BACK: rollback,
  CONVERSATION_MOVED: move,
  TODOS_CHANGED: { todos },
  TURN_LIMIT: {
    reason: z.enum(['max_tool_rounds', 'max_turns', 'tokens', 'cost', 'time', 'turn_tokens', 'turn_cost']),
    limit: number,
    countedBy: z.enum(['proxy', 'agent']).optional(),
  },
  LOOP_DETECTION: { message: text },
  CONTEXT_WARNING: { usagePercent: number },
  COMPACTED: { text, kept: number, ...receipt },
  COMPACTION_REQUESTED: { instructions: text, alone: flag },
  COMPACTION_UNDONE: {},
  HOOK_RAN: {
    event: z.enum(HOOK_EVENTS),
    command: text,
    source: text,
    aboutCall: text.nullable(),
    durationMs: number,
    says: text,
    outcome: z.enum(['passed', 'allowed', 'asked', 'blocked', 'failed']),
  },
  ERROR: { error: trouble },
  WARNING: { trouble },
}

const schemas = new Map(Object.entries(SHAPES).map(([kind, shape]) => [kind, z.looseObject(shape)]))

/** Whether this version understands an event from a file, which anybody may have written. */
export function isDurableEvent(event: { readonly kind: string }): boolean {
  return schemas.get(event.kind)?.safeParse(event).success ?? false
}
