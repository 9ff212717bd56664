import { expect, test } from 'vitest'
import type { RunState } from '../../shared/session/state.ts'
import { calls, say } from '../support/scripted-model.ts'
import { answerCall, type Rig, waiting } from './support/rig.ts'
import { failing, heard, read, rigFor, write } from './support/scripted-rig.ts'

type Step = readonly [does: string, play: (rig: Rig) => unknown, state: RunState]

const ask: Step = ['a message', (rig) => rig.session.submit('go'), 'PROCESSING']
const wait: Step = ['a step that is to be signed', (rig) => waiting(rig.session), 'AWAITING_INPUT']
const toEnd = (rig: Rig): Promise<unknown> => rig.session.idle()
const STEP = [calls(write('a.txt', 'a')), say('Done.')]
const NEVER = () => new Promise<never>(() => {})

/**
 * Every transition from one state to another (P2-06, D-41, D-42, S-42). Each case starts with a running session and checks the state
 * after each step.
 */
test.each<readonly [string, Parameters<typeof rigFor>[0], readonly Step[]]>([
  ['IDLE → PROCESSING → IDLE: a message, its answer', [say('Hello.')], [ask, ['the answer', toEnd, 'IDLE']]],
  [
    'PROCESSING → AWAITING_INPUT → PROCESSING: a signature',
    STEP,
    [
      ask,
      wait,
      ['the signature', async (rig) => answerCall(rig.session, (await waiting(rig.session))[0]), 'PROCESSING'],
      ['the end', toEnd, 'IDLE'],
    ],
  ],
  ['AWAITING_INPUT → IDLE: a stop', STEP, [ask, wait, ['the stop', (rig) => rig.session.stop(), 'IDLE']]],
  ['PROCESSING → IDLE: a stop', NEVER, [ask, ['the stop', (rig) => rig.session.stop(), 'IDLE']]],
  ['PROCESSING → IDLE: a failure', [failing({ code: 'authentication' })], [ask, ['the failure', toEnd, 'IDLE']]],
  ['PROCESSING → IDLE: a limit', () => calls(read('a.txt')), [ask, ['the limit', toEnd, 'IDLE']]],
  [
    'IDLE → PROCESSING: Resume',
    [failing({ code: 'authentication' }), say('On.')],
    [ask, ['the failure', toEnd, 'IDLE'], ['Resume', (rig) => rig.session.resume(), 'PROCESSING'], ['the answer', toEnd, 'IDLE']],
  ],
  ['IDLE → CLOSED: closing', [], [['the end', (rig) => rig.session.close(), 'CLOSED']]],
  ['PROCESSING → CLOSED: closing', NEVER, [ask, ['the end', (rig) => rig.session.close(), 'CLOSED']]],
  ['AWAITING_INPUT → CLOSED: closing', STEP, [ask, wait, ['the end', (rig) => rig.session.close('aborted'), 'CLOSED']]],
  [
    'CLOSED → IDLE: another model for the reopened session',
    [],
    [
      ['the end', (rig) => rig.session.close(), 'CLOSED'],
      ['the choice', async (rig) => (await rig.takeOver()).configure({ model: 'other' }), 'IDLE'],
    ],
  ],
  [
    'CLOSED → PROCESSING: a message to the reopened session',
    NEVER,
    [
      ['the end', (rig) => rig.session.close(), 'CLOSED'],
      ['the message', async (rig) => (await rig.takeOver()).submit('go'), 'PROCESSING'],
    ],
  ],
  [
    'AWAITING_INPUT survives a restart',
    STEP,
    [
      ask,
      wait,
      ['the restart', (rig) => rig.session.suspend(), 'AWAITING_INPUT'],
      ['the next process', (rig) => rig.takeOver(), 'AWAITING_INPUT'],
    ],
  ],
  ['PROCESSING → IDLE: the process ends', NEVER, [ask, ['the end', (rig) => rig.session.suspend(), 'IDLE']]],
])('%s', async (_, script, steps) => {
  const { rig } = await rigFor(script, { mode: 'ask', limits: { maxRounds: 3 } })
  expect(rig.replay().run).toBe('IDLE')
  for (const [does, play, state] of steps) {
    await play(rig)
    expect([does, rig.replay().run]).toEqual([does, state])
  }
})

test('a stopped turn does nothing more once the stop has finished', async () => {
  const { rig } = await rigFor(NEVER)
  rig.session.submit('go')
  await heard(rig.session, 'REQUEST_SENT')
  await rig.session.stop()
  const { length } = rig.events()
  await rig.session.idle()
  expect([rig.replay().run, rig.events().length]).toEqual(['IDLE', length])
})
