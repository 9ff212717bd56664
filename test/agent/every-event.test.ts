import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { goBack } from '../../main/sessions/go-back.ts'
import type { SessionEvent } from '../../shared/session/events.ts'
import { hasNoCopies } from '../environment/copy/support.ts'
import { hook } from '../hooks/support/hook.ts'
import { openFamily } from '../subagents/support/family.ts'
import { call, calls, gate, message, say, text, thinking } from '../support/scripted-model.ts'
import { answerCall, type Rig, type RigOptions, waiting } from './support/rig.ts'
import { failing, heard, read, rigFor, shell, write } from './support/scripted-rig.ts'

type Kind = SessionEvent['kind']
type Events = readonly SessionEvent[]
const used = (tokens: number) => ({ usage: { input: tokens, output: 0 } })

/** Runs a session with this script. Returns the events in its log and those that its subscribers received during `play`. */
async function told(script: Parameters<typeof rigFor>[0], options: RigOptions, play: (rig: Rig) => Promise<unknown>): Promise<Events> {
  const { rig } = await rigFor(script, options)
  const events: SessionEvent[] = [...rig.events()]
  const subscription = rig.session.record.subscribe(({ event }) => events.push(event))
  await play(rig)
  subscription.dispose()
  return events
}
const asked = async (rig: Rig, ...words: readonly string[]): Promise<void> => {
  for (const one of words) {
    rig.session.submit(one)
    await rig.session.idle()
  }
}

const todo = { id: '1', content: 'Look', status: 'pending', priority: 'high' } as const

const signedTurn = (): Promise<Events> =>
  told(
    [
      message([thinking('Hm.', 'c2ln'), text('I look.'), call('read_file', { file_path: 'a.txt' })], used(7)),
      calls(call('todo_write', { todos: [todo] })),
      calls(write('b.txt', 'b')),
      say('Done.'),
    ],
    { mode: 'ask' },
    async (rig) => {
      await writeFile(join(rig.folder, 'a.txt'), 'a')
      rig.session.submit('go')
      answerCall(rig.session, (await waiting(rig.session))[0])
      await rig.session.idle()
    },
  )

const command = (): Promise<Events> =>
  told([calls(shell('echo one; until [ -e go ]; do sleep 0.02; done; echo two')), say('Done.')], { mode: 'full' }, async (rig) => {
    rig.session.submit('go')
    await heard(rig.session, 'TOOL_CALL_OUTPUT_DELTA')
    await writeFile(join(rig.folder, 'go'), '')
    await rig.session.idle()
  })

const copied = (): Promise<Events> =>
  told([calls(shell('echo more >> a.txt')), say('Done.')], { mode: 'accept-edits', inCopies: true }, async (rig) => {
    await writeFile(join(rig.folder, 'a.txt'), 'a')
    await asked(rig, 'go')
  })

const forReal = (): Promise<Events> =>
  told([calls(shell('echo "Cannot connect to the Docker daemon" >&2; exit 1')), say('Done.')], { inCopies: true }, async (rig) => {
    rig.session.submit('go')
    answerCall(rig.session, (await waiting(rig.session))[0], null)
    await rig.session.idle()
  })

const meanwhile = async (): Promise<Events> => {
  const held = gate()
  const script = async (_: unknown, index: number) => {
    if (index === 0) await held.opened
    return index === 0 ? calls(read('no.txt')) : say('Done.')
  }
  return told(script, {}, async (rig) => {
    rig.session.submit('go')
    await heard(rig.session, 'REQUEST_SENT')
    rig.session.send({ inputId: 'in_later', text: 'Later', delivery: 'queue' })
    rig.session.withdraw('in_later')
    rig.session.steer('Only the first')
    held.open()
    await rig.session.idle()
    rig.session.configure({ effort: 'high' })
    rig.session.rename('  Invoices\n of March ')
    await rig.session.close()
  })
}

const stopped = (): Promise<Events> =>
  told(
    async (_, index) => (index === 0 ? new Promise<never>(() => {}) : say('On.')),
    {},
    async (rig) => {
      rig.session.submit('go')
      await heard(rig.session, 'REQUEST_SENT')
      rig.session.retryNow()
      rig.store.log(rig.sessionId).append({ kind: 'STOP_REQUESTED' })
      await rig.session.idle()
      rig.session.resume()
      await rig.session.idle()
    },
  )

const limited = (): Promise<Events> =>
  told(
    () => calls(read('a.txt')),
    { limits: { maxRounds: 6 } },
    (rig) => asked(rig, 'go'),
  )

const failed = (): Promise<Events> =>
  told(
    [
      failing({ code: 'overloaded', message: 'Busy.', retryable: true, retryAfterMs: 1 }),
      failing({ code: 'authentication', message: 'No.' }),
    ],
    {},
    (rig) => asked(rig, 'go'),
  )

const undone = (): Promise<Events> =>
  told([calls(write('b.txt', 'b')), say('Done.')], { mode: 'full' }, async (rig) => {
    await asked(rig, 'go')
    const target = { kind: 'to', step: 0 } as const
    const { plan } = await rig.undo.preview(target)
    await rig.undo.run(rig.session.record, { target, plan, anyway: [], choices: [] })
  })

const goneBack = (): Promise<Events> =>
  told([say('One.')], {}, async (rig) => {
    await asked(rig, 'a')
    const [said] = [...rig.store.log(rig.sessionId).read()].filter(({ event }) => event.kind === 'USER_INPUT')
    await goBack(rig.session.record, { kind: 'before', seq: said?.seq ?? 0 })
  })

const hooked = (): Promise<Events> =>
  told([calls(write('b.txt', 'b')), say('Done.')], { mode: 'full', hooks: [hook('PreToolUse', 'echo no >&2; exit 2')] }, (rig) =>
    asked(rig, 'go'),
  )

const compacted = (): Promise<Events> =>
  told(
    [say('One.', used(850)), say('Two.', used(930)), say('S.', used(940)), say('Three.', used(90)), say('Short.', used(95))],
    { contextWindow: 1000 },
    async (rig) => {
      await asked(rig, 'a', 'b', 'c')
      rig.session.undoCompaction()
      rig.session.compact('Keep the names.')
      await rig.session.idle()
    },
  )

/** Returns the events that the parent's subscribers received and those in the child's log. */
const spawned = async (): Promise<Events> => {
  const family = await openFamily(({ who, round }) =>
    who === 'PARENT' && round === 0 ? calls(call('task', { agent_type: 'plan', prompt: 'CHILD-A' })) : say('So.'),
  )
  const events: SessionEvent[] = []
  family.parent.record.subscribe(({ event }) => events.push(event))
  await family.ask()
  const child = await family.child()
  return [...events, ...[...child.record.read()].map(({ event }) => event)]
}

/**
 * For each kind of event: a run that produces it, and fields that it must contain. If a new kind of event has no line here, this file does
 * not compile.
 */
const EVENTS: { readonly [K in Kind]: readonly [() => Promise<Events>, Partial<Extract<SessionEvent, { kind: K }>> | object] } = {
  SESSION_START: [signedTurn, { provider: 'anthropic', model: 'scripted', mode: 'ask' }],
  SESSION_CONFIGURED: [meanwhile, { effort: 'high' }],
  SESSION_RENAMED: [meanwhile, { name: 'Invoices of March' }],
  SESSION_END: [meanwhile, { reason: 'closed' }],
  USER_INPUT: [signedTurn, { text: 'go', delivery: 'prompt' }],
  INPUT_QUEUED: [meanwhile, { inputId: 'in_later', text: 'Later', delivery: 'queue' }],
  INPUT_WITHDRAWN: [meanwhile, { inputId: 'in_later' }],
  STOP_REQUESTED: [stopped, {}],
  RETRY_REQUESTED: [stopped, {}],
  RESUME_REQUESTED: [stopped, {}],
  STEERING_INJECTED: [meanwhile, { text: 'Only the first', by: 'person' }],
  PROCESSING_END: [signedTurn, { reason: 'completed' }],
  REQUEST_CONTEXT: [signedTurn, { system: { bytes: 'You are a test.'.length } }],
  ASSISTANT_TURN: [
    signedTurn,
    { complete: true, stopReason: 'tool_calls', parts: [{ kind: 'thinking' }, { kind: 'text' }, { kind: 'tool_call' }] },
  ],
  USAGE: [signedTurn, { total: { input: 7 } }],
  TOOL_CALL_START: [signedTurn, { toolName: 'read_file', args: { file_path: 'a.txt' } }],
  APPROVAL_REQUESTED: [signedTurn, { toolName: 'write_file', effects: [{ kind: 'write', shown: 'b.txt' }] }],
  APPROVAL_ANSWERED: [signedTurn, { answer: { kind: 'signed' } }],
  TOOL_EXECUTION_START: [signedTurn, { signedBy: { kind: 'person' } }],
  COPY_STARTED: [copied, { effects: [{ kind: 'command', sandbox: 'copy' }] }],
  COPY_ENDED: [copied, { effects: [{ kind: 'command' }, { kind: 'write', shown: 'a.txt' }], dropped: null }],
  COPY_FAILED: [forReal, { reason: expect.stringContaining('Docker socket') }],
  FILES_CHANGED: [signedTurn, { files: [{ shown: 'b.txt', before: null, afterBytes: 1 }] }],
  TOOL_CALL_END: [signedTurn, { toolName: 'read_file', outcome: 'done', isError: false }],
  ROLLBACK_STARTED: [undone, { target: { kind: 'to', step: 0 }, files: [{ shown: 'b.txt', after: null }] }],
  ROLLED_BACK: [undone, { files: [{ shown: 'b.txt', after: null }], skipped: [] }],
  CONVERSATION_MOVED: [goneBack, { to: 1, todos: [] }],
  TODOS_CHANGED: [signedTurn, { todos: [todo] }],
  TURN_LIMIT: [limited, { reason: 'max_tool_rounds', limit: 6 }],
  LOOP_DETECTION: [limited, {}],
  CONTEXT_WARNING: [compacted, { usagePercent: 85 }],
  COMPACTED: [compacted, { why: 'threshold' }],
  COMPACTION_REQUESTED: [compacted, { instructions: 'Keep the names.', alone: true }],
  COMPACTION_UNDONE: [compacted, {}],
  ERROR: [failed, { error: { code: 'authentication', what: 'No.' } }],
  HOOK_RAN: [hooked, { event: 'PreToolUse', outcome: 'blocked', says: 'no' }],
  WARNING: [spawned, { trouble: { code: 'no_object' } }],
  REQUEST_SENT: [signedTurn, { provider: 'anthropic', model: 'scripted' }],
  ASSISTANT_TEXT_START: [signedTurn, {}],
  ASSISTANT_TEXT_DELTA: [signedTurn, { text: 'I look.' }],
  ASSISTANT_TEXT_END: [signedTurn, {}],
  THINKING_DELTA: [signedTurn, { text: 'Hm.' }],
  TOOL_CALL_DELTA: [signedTurn, { toolName: 'read_file' }],
  TOOL_CALL_OUTPUT_DELTA: [command, { bytes: 4, tail: expect.stringContaining('one') as unknown }],
  RETRY_SCHEDULED: [failed, { attempt: 1, why: expect.stringContaining('Busy.') as unknown }],
  SUBAGENT_EVENT: [spawned, { event: { kind: 'SESSION_START' } }],
  PROGRESS: [compacted, { waitingFor: 'a summary of the conversation' }],
}

describe('every kind of event occurs in a running session (P2-14…P2-23, S-14, AC10.1, D-05)', () => {
  const needsCopies = new Set<Kind>(['COPY_STARTED', 'COPY_ENDED', 'COPY_FAILED'])

  test.for(Object.entries(EVENTS) as readonly (readonly [Kind, (typeof EVENTS)[Kind]])[])(
    '%s',
    async ([kind, [scenario, says]], { skip }) => {
      skip(hasNoCopies && needsCopies.has(kind), 'no copies on this machine')
      const events = await scenario()
      expect(events.filter((event) => event.kind === kind)).toContainEqual(expect.objectContaining({ kind }))
      expect(events.find((event) => event.kind === kind)).toMatchObject(says)
    },
  )
})
