import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AnyEnvelope } from '../../shared/session/events.ts'
import { emptySession, foldAll } from '../../shared/session/fold/fold.ts'
import { call, calls, message, say, text, thinking } from '../support/scripted-model.ts'
import { answerCall, waiting } from './support/rig.ts'
import { rigFor, write } from './support/scripted-rig.ts'

/** Runs a turn with reasoning, text, a read and a signed step. Returns every envelope that a subscriber receives, in order. */
async function wholeTurn() {
  const look = message([thinking('Hm.', 'c2ln'), text('I look.'), call('read_file', { file_path: 'a.txt' })])
  const { rig } = await rigFor([look, calls(write('b.txt', 'b')), say('Done.')], { mode: 'ask' })
  await writeFile(join(rig.folder, 'a.txt'), 'a')
  const told: AnyEnvelope[] = []
  const states: string[] = []
  rig.session.record.subscribe((envelope) => {
    told.push(envelope)
    const { run } = rig.session.state()
    if (states.at(-1) !== run) states.push(run)
  })
  rig.session.submit('go')
  const [step] = await waiting(rig.session)
  answerCall(rig.session, step)
  await rig.session.idle()
  return { rig, told, states }
}

test('the events and the states of a turn come in the specified order (S-07, AC10.1, T-14, D-42)', async () => {
  const { told, states } = await wholeTurn()
  // The number of delta and progress events depends on how the bytes arrive, so the comparison leaves them out.
  const kinds = told.map(({ event }) => event.kind).filter((kind) => kind !== 'TOOL_CALL_DELTA' && kind !== 'PROGRESS')
  const text = ['ASSISTANT_TEXT_START', 'ASSISTANT_TEXT_DELTA', 'ASSISTANT_TEXT_END']
  expect(kinds.filter((kind, index) => kind !== kinds[index - 1])).toEqual([
    'USER_INPUT',
    'REQUEST_CONTEXT',
    'REQUEST_SENT',
    'THINKING_DELTA',
    ...text,
    'ASSISTANT_TURN',
    'USAGE',
    'TOOL_CALL_START',
    'TOOL_CALL_END',
    'REQUEST_SENT',
    'ASSISTANT_TURN',
    'USAGE',
    'TOOL_CALL_START',
    'APPROVAL_REQUESTED',
    'APPROVAL_ANSWERED',
    'TOOL_EXECUTION_START',
    'FILES_CHANGED',
    'TOOL_CALL_END',
    'REQUEST_SENT',
    ...text,
    'ASSISTANT_TURN',
    'USAGE',
    'PROCESSING_END',
  ])
  expect(states).toEqual(['PROCESSING', 'AWAITING_INPUT', 'PROCESSING', 'IDLE'])
})

test('a clock that jumps back by a day does not change the order (fault 52)', async () => {
  const { rig, told } = await wholeTurn()
  const stored = told.filter(({ seq }) => seq !== null)
  const day = 86_400_000
  const jumped = stored.map((envelope, index) => (index > stored.length / 2 ? { ...envelope, at: envelope.at - day } : envelope))
  const folded = (envelopes: readonly AnyEnvelope[]) =>
    foldAll(emptySession(rig.session.record.sessionId), envelopes).items.map(({ kind, id }) => [kind, id])
  expect(folded(jumped)).toEqual(folded(stored))
  expect(folded(stored).length).toBeGreaterThan(3)
})
