import { SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import { NO_USAGE } from '../../../shared/session/content.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'
import { NO_LEASE } from '../../../shared/session/settings/budget-lease.ts'
import { completePlan } from '../../../shared/workflow/work-plan.ts'

const HASH = 'a'.repeat(64)
const call = { toolCallId: ToolCallId.parse('c') }
const config = { provider: 'anthropic', model: 'm', mode: 'full', effort: 'high', baseUrl: null, course: 'plan' } as const
const answering = { provider: 'anthropic', model: 'm', effort: null } as const
const place = { path: '/w/a.ts', shown: 'a.ts', outside: false, control: false }
const plan = completePlan({ title: 'Plan', steps: [{ title: 'Step', files: ['a.ts'], commands: ['ls'] }] })
const question = { question: 'Which?', options: [{ label: 'One' }], multiSelect: true, default: ['One'] }
const trouble = { code: 'x', what: 'What.', kept: 'Kept.', todo: 'To do.' }
const todos = [{ id: '1', content: 'Look', status: 'pending', priority: 'high' }]
const receipt = { why: 'manual', dropped: 1, pinned: 1, tokensBefore: 90, tokensAfter: 20 }
const move = { to: 2, todos, compactions: [receipt], wholeWanted: true, context: 7 }
const file = {
  path: '/w/a.ts',
  shown: 'a.ts',
  before: HASH,
  after: HASH,
  beforeBytes: 1,
  afterBytes: 2,
  beforeMode: 0o644,
  afterMode: 0o644,
  lines: { added: 1, removed: 1 },
  movedFrom: { path: '/w/b.ts', shown: 'b.ts' },
}
const folders = [{ path: '/w/d', shown: 'd', before: null, after: 0o755 }]
const gitFile = { status: 'M', path: 'a.ts', stored: { before: HASH, after: null } }
const git = {
  head: { before: 'main', after: 'work' },
  commits: [{ hash: 'b'.repeat(40), subject: 'Fix', author: 'A', files: [gitFile] }],
  more: false,
  lost: [{ hash: 'c'.repeat(40), subject: 'Old' }],
  begun: 'merge',
  staged: [gitFile],
  unstaged: [gitFile],
  refs: [{ kind: 'branch', name: 'main', before: null, after: 'b'.repeat(40), leaves: 0 }],
}
const command = { kind: 'command', command: 'ls', cwd: '/w', outside: false, env: { A: 'b' }, timeoutMs: 1, destructive: false }
const effects = [
  { kind: 'write', ...place, before: HASH, after: HASH, beforeBytes: 1, afterBytes: 2, lines: { added: 1, removed: 0 } },
  { kind: 'delete', ...place, before: HASH, beforeBytes: 1 },
  { kind: 'permissions', ...place, before: 0o644, after: 0o755 },
  { kind: 'link', ...place, before: null, after: 'b.ts' },
  { kind: 'folder', ...place, change: 'created' },
  {
    ...command,
    parts: [{ operator: '', text: 'ls' }],
    reaches: [{ shown: 'a.ts', outside: false, control: false }],
    starts: ['core.pager'],
  },
  { kind: 'read', ...place },
  { kind: 'network', url: 'https://a.example/', host: 'a.example' },
  { kind: 'review', steps: [{ id: '1', title: 'Step' }], calls: [1] },
  { kind: 'unknown', summary: 'Something', tool: { name: 'mcp__s__t', arguments: '{}' } },
]
const said = {
  text: 'Hello',
  inputId: 'i',
  command: '/hello',
  forTurn: { command: 'hello', model: 'm', effort: 'low' },
  pictures: [{ kind: 'picture', mediaType: 'image/png', hash: HASH, bytes: 1 }],
}
const rollback = {
  rollbackId: 'r',
  target: { kind: 'to', step: 1 },
  files: [file],
  folders,
  conversation: move,
  skipped: [{ path: '/w/a.ts', shown: 'a.ts', why: 'conflict' }],
  uncovered: [{ shown: 'a.ts', why: 'It is ignored.', step: 1 }],
}
const blob = { hash: HASH, bytes: 1 }

/** Every kind of event with nearly all its members, in an order in which each event has an effect. */
export const EVERY_EVENT: readonly { readonly kind: DurableEvent['kind']; readonly [member: string]: unknown }[] = [
  {
    kind: 'SESSION_START',
    sessionId: SessionId.parse('s_old'),
    cwd: '/w',
    ...config,
    parent: { sessionId: 's_parent', ...call, agentType: 'task', depth: 1, readsOnly: false, tools: ['read_file'], lease: NO_LEASE },
  },
  { kind: 'SESSION_CONFIGURED', ...config, was: answering, forTurn: { command: 'hello', back: answering } },
  { kind: 'SESSION_RENAMED', name: 'Name' },
  { kind: 'USER_INPUT', ...said, delivery: 'prompt', plan: { plan, condition: 'Only a.ts' } },
  { kind: 'STEERING_INJECTED', ...said, by: 'person' },
  { kind: 'REQUEST_CONTEXT', system: blob, tools: blob },
  {
    kind: 'ASSISTANT_TURN',
    provider: 'anthropic',
    model: 'm',
    stopReason: 'tool_calls',
    responseId: null,
    usage: NO_USAGE,
    parts: [
      { kind: 'thinking', text: 'Hm.', signature: null },
      { kind: 'text', text: 'I look.' },
      { kind: 'opaque', data: {} },
      { kind: 'tool_call', ...call, toolName: 'shell', argsText: '{}' },
    ],
    complete: true,
  },
  { kind: 'USAGE', turn: NO_USAGE, total: NO_USAGE, costUsd: 0.5 },
  { kind: 'TODOS_CHANGED', todos },
  { kind: 'TOOL_CALL_START', ...call, toolName: 'shell', args: { command: 'ls', list: [1] } },
  {
    kind: 'HOOK_RAN',
    event: 'PreToolUse',
    command: 'check',
    source: 'settings.json',
    aboutCall: 'c',
    durationMs: 1,
    outcome: 'blocked',
    says: 'No.',
    variables: { LD_PRELOAD: '/evil.so' },
    updatedInput: { command: 'ls' },
  },
  { kind: 'COPY_STARTED', ...call, effects: [command] },
  {
    kind: 'COPY_ENDED',
    ...call,
    effects: [command],
    changeSet: blob,
    result: blob,
    tail: 'x',
    exitCode: 0,
    durationMs: 1,
    git,
    blocked: ['a.example:443'],
    reached: ['b.example:443'],
    leftOut: ['socket'],
    dropped: null,
    notes: ['A note.'],
  },
  { kind: 'COPY_FAILED', ...call, reason: 'It cannot.', mayConfine: true, result: blob },
  { kind: 'APPROVAL_REQUESTED', approvalId: 'a', ...call, toolName: 'shell', effects, hash: 'h', reason: 'r', destructive: false },
  { kind: 'APPROVAL_ANSWERED', approvalId: 'a', ...call, answer: { kind: 'refused', note: 'No', by: 'person' } },
  {
    kind: 'APPROVAL_REQUESTED',
    approvalId: 'm',
    ...call,
    toolName: 'shell',
    hash: 'h',
    reason: 'r',
    destructive: false,
    effects: [{ kind: 'mode', to: 'ask', plan: 'Plan', document: plan }],
  },
  {
    kind: 'APPROVAL_ANSWERED',
    approvalId: 'm',
    ...call,
    answer: { kind: 'signed', reply: { kind: 'plan', plan, condition: null, asksOutside: true } },
  },
  {
    kind: 'APPROVAL_REQUESTED',
    approvalId: 'q',
    ...call,
    toolName: 'shell',
    hash: 'h',
    reason: 'r',
    destructive: false,
    effects: [{ kind: 'question', questions: [question] }],
  },
  {
    kind: 'APPROVAL_ANSWERED',
    approvalId: 'q',
    ...call,
    answer: { kind: 'signed', reply: { kind: 'answers', answers: [{ chosen: ['One'], text: '' }] } },
  },
  { kind: 'TOOL_EXECUTION_START', ...call, signedBy: { kind: 'rule', rule: 'r' }, effects: [command] },
  {
    kind: 'FILES_CHANGED',
    ...call,
    files: [file],
    folders,
    unread: [{ path: '/w/c', shown: 'c', why: 'It is gone.' }],
    madeBy: { command: 'ls', compared: { files: 1, leftOut: ['A folder.'] } },
  },
  {
    kind: 'TOOL_CALL_END',
    ...call,
    toolName: 'shell',
    output: 'x',
    outputBlob: blob,
    isError: false,
    outcome: 'done',
    modelText: [
      { kind: 'text', text: 'x' },
      { kind: 'image', mediaType: 'image/png', data: 'AAAA' },
    ],
    durationMs: 1,
    details: { exitCode: 0 },
    saw: [{ path: '/w/a.ts', hash: HASH }],
  },
  { kind: 'LOOP_DETECTION', message: 'Again.' },
  { kind: 'CONTEXT_WARNING', usagePercent: 80 },
  { kind: 'COMPACTED', text: 'Summary', kept: 1, ...receipt },
  { kind: 'COMPACTION_UNDONE' },
  { kind: 'TURN_LIMIT', reason: 'cost', limit: 3 },
  { kind: 'ERROR', error: trouble },
  { kind: 'WARNING', trouble },
  { kind: 'RETRY_REQUESTED' },
  { kind: 'STOP_REQUESTED' },
  { kind: 'PROCESSING_END', reason: 'completed', asks: true },
  { kind: 'ROLLBACK_STARTED', ...rollback },
  { kind: 'ROLLED_BACK', ...rollback },
  { kind: 'CONVERSATION_MOVED', ...move },
  { kind: 'COMPACTION_REQUESTED', instructions: 'Short.', alone: true },
  { kind: 'RESUME_REQUESTED' },
  { kind: 'SESSION_END', sessionId: SessionId.parse('s_old'), reason: 'closed' },
  { kind: 'INPUT_QUEUED', ...said, inputId: 'withdrawn', delivery: 'steer' },
  { kind: 'INPUT_WITHDRAWN', inputId: 'withdrawn' },
  { kind: 'INPUT_QUEUED', ...said, inputId: 'later', delivery: 'queue' },
]
