import { expect, it } from 'vitest'
import { createRecord, type Memory, type SessionRecord } from '../../main/agent/record/session-record.ts'
import { systemClock } from '../../main/environment/system-clock.ts'
import type { Store } from '../../main/store/store.ts'
import type { ToolResultsTurn } from '../../shared/session/conversation-turns.ts'
import { seedSession } from '../bench/seeded-session.ts'
import { CONFIG, input, openedInMemory, session } from '../store/support/stores.ts'

const ID = session('long')
const OUTPUT = 5_000

/** Stores a session of 90 rounds with two compactions. */
async function longSession(): Promise<Store> {
  const store = await openedInMemory()
  seedSession(store, { sessionId: ID, cwd: '/w', config: CONFIG, rounds: 90, outputChars: OUTPUT })
  return store
}

const recordOf = (store: Store): SessionRecord => createRecord({ sessionId: ID, log: store.log(ID), clock: systemClock })

/** Returns everything that a turn reads from the session's memory. */
const told = ({ transcript, tally, seen, context }: Memory) => ({
  turns: transcript.turns(),
  messages: transcript.all().filter(({ kind }) => kind !== 'tool_results'),
  open: transcript.openRound(),
  known: transcript.isKnownCall('call-3-1'),
  counts: [tally.rounds(), tally.answers(), tally.context(), tally.madeRoom(), tally.isUndone()],
  loop: [tally.loop(), tally.failing(), tally.outlivedWarnings()],
  seen: seen.get('/w/src/module-3.ts'),
  context: context.newest(),
})

const charsOfResults = ({ transcript }: Memory): number =>
  transcript
    .all()
    .filter((turn): turn is ToolResultsTurn => turn.kind === 'tool_results')
    .flatMap(({ results }) => results)
    .reduce((sum, { output }) => sum + output.length, 0)

it('a reopened session sends the model the same turns, and keeps in memory only the results that the model still sees', async () => {
  const store = await longSession()
  const all = recordOf(store)
  const opened = recordOf(store)
  await opened.remember()
  expect(told(opened.memory())).toEqual(told(all.memory()))
  expect(charsOfResults(opened.memory())).toBeLessThan(charsOfResults(all.memory()) * 0.6)
})

it('an undone compaction restores everything that it replaced', async () => {
  const store = await longSession()
  const all = recordOf(store)
  const opened = recordOf(store)
  all.memory()
  await opened.remember()
  opened.append({ kind: 'COMPACTION_UNDONE' })
  await opened.remember()
  expect(told(opened.memory())).toEqual(told(all.memory()))
})

it('events appended while the log is read are processed exactly once', async () => {
  const store = await longSession()
  const all = recordOf(store)
  const opened = recordOf(store)
  const reading = opened.remember()
  opened.append(input('meanwhile'))
  await new Promise((resolve) => setImmediate(resolve))
  opened.append(input('and again'))
  await reading
  expect(told(opened.memory())).toEqual(told(all.memory()))
})

it('reading a long log does not block other work', async () => {
  const store = await openedInMemory()
  seedSession(store, { sessionId: ID, cwd: '/w', config: CONFIG, rounds: 300, outputChars: 60_000 })
  const record = recordOf(store)
  let turns = 0
  const turning = setInterval(() => turns++, 0)
  await record.remember()
  clearInterval(turning)
  expect(turns).toBeGreaterThan(3)
})
