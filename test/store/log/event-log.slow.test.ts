import { describe, expect, it } from 'vitest'
import { eventLogConformance } from '../../conformance/event-log.ts'
import type { AnyEnvelope } from '../../../shared/session/events.ts'
import { startChild } from '../support/child.ts'
import { CONFIG, input, manualClock, opened, openedInMemory, session } from '../support/stores.ts'
import { tempFolder } from '../support/temp-folder.ts'

eventLogConformance('the store on disk', async () => {
  const clock = manualClock(5_000)
  const store = await opened(tempFolder(), clock)
  return { log: store.log, now: clock.at }
})

eventLogConformance('the store in memory', async () => {
  const clock = manualClock(5_000)
  const store = await openedInMemory(clock)
  return { log: store.log, now: clock.at }
})

const ID = session('s')

describe('the log of a session', () => {
  it('is the same after the store is reopened, and can be continued', async () => {
    const folder = tempFolder()
    const first = await opened(folder)
    const stored = first.log(ID).append(input('one'), input('two'))
    first.close()
    const second = await opened(folder)
    expect([...second.log(ID).read()]).toEqual(stored)
    const [next] = second.log(ID).append(input('three'))
    expect(next?.after).toBe(stored.at(-1)?.seq)
    expect([...second.eventsAfter(ID, stored[0]?.seq ?? 0)]).toEqual([[stored[1], next]])
  })

  it('gives each event a store-wide sequence number in storage order', async () => {
    const store = await opened(tempFolder())
    const stored = ['a', 'b', 'a', 'c', 'b'].flatMap((name) => [...store.log(session(name)).append(input(name))])
    expect(stored.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5])
    expect(stored.map(({ after }) => after)).toEqual([null, null, 1, null, 2])
  })

  it('keeps its order when the clock goes back', async () => {
    const clock = manualClock(90_000)
    const store = await opened(tempFolder(), clock)
    store.log(ID).append(input('first'))
    clock.at = 10
    store.log(ID).append(input('second'))
    expect([...store.log(ID).read()].map(({ seq, at }) => [seq, at])).toEqual([
      [1, 90_000],
      [2, 10],
    ])
  })
})

it('a subscriber that throws does not prevent storing or the calls of other subscribers, and its error becomes an uncaught exception', async () => {
  const child = startChild('thrower', [tempFolder()])
  expect(await child.next()).toEqual({ stored: 1, told: 1 })
  expect(await child.next()).toEqual({ uncaught: 'a bug of the subscriber' })
})

describe('subscribing from a cursor', () => {
  it('delivers stored events after it, then new events, without gaps or duplicates', async () => {
    const store = await opened(tempFolder())
    const log = store.log(ID)
    const stored = log.append(input('one'), input('two'), input('three'))
    const heard: AnyEnvelope[][] = []
    store.subscribe(ID, (envelopes) => heard.push([...envelopes]), stored[0]?.seq)
    expect(heard).toEqual([[stored[1], stored[2]]])
    const four = log.append(input('four'))
    expect(heard).toEqual([[stored[1], stored[2]], four])
  })

  it('delivers earlier events of another process before the next event of this process', async () => {
    const folder = tempFolder()
    const here = await opened(folder)
    const there = await opened(folder)
    const heard: AnyEnvelope[] = []
    here.subscribe(ID, (envelopes) => heard.push(...envelopes))
    const foreign = there.log(ID).append(input('there'))
    const own = here.log(ID).append(input('here'))
    expect(heard).toEqual([...foreign, ...own])
  })

  it('before a transaction’s callback runs, delivers everything that other stores have added', async () => {
    const folder = tempFolder()
    const here = await opened(folder)
    const there = await opened(folder)
    const heard: AnyEnvelope[] = []
    here.log(ID).subscribe((envelope) => heard.push(envelope))
    const foreign = there.log(ID).append(input('there'))
    let seen: readonly AnyEnvelope[] = []
    const own = here.log(ID).transact(() => {
      seen = [...heard]
      return [input('decided')]
    })
    expect(seen).toEqual(foreign)
    expect(heard).toEqual([...foreign, ...own])
  })
})

describe('the list of sessions', () => {
  it('shows each session with its state, newest first, without opening it', async () => {
    const clock = manualClock(1)
    const store = await opened(tempFolder(), clock)
    const first = store.sessions.create({ cwd: '/one', ...CONFIG })
    clock.at = 2
    const second = store.sessions.create({ cwd: '/two', ...CONFIG, mode: 'plan' })
    clock.at = 3
    store.log(first).append(input('Mend the test\nplease'))
    const common = {
      parent: null,
      ended: null,
      need: null,
      turnEnd: 0,
      failedCommand: null,
      asks: false,
      steps: 0,
      spent: null,
      running: false,
    }
    expect(store.sessions.list()).toEqual([
      {
        sessionId: first,
        title: 'Mend the test',
        folder: '/one',
        config: CONFIG,
        run: 'PROCESSING',
        startedAt: 1,
        updatedAt: 3,
        cursor: 3,
        ...common,
      },
      {
        sessionId: second,
        title: '',
        folder: '/two',
        config: { ...CONFIG, mode: 'plan' },
        run: 'IDLE',
        startedAt: 2,
        updatedAt: 2,
        cursor: 2,
        ...common,
      },
    ])
    expect(store.health()).toEqual({ trouble: null, onDisk: 2, listed: 2 })
  })

  it('is sorted by the last event, not by the clock, which may be set back by a day (fault 52)', async () => {
    const clock = manualClock(Date.UTC(2026, 10, 21, 14))
    const store = await opened(tempFolder(), clock)
    const first = store.sessions.create({ cwd: '/one', ...CONFIG })
    const second = store.sessions.create({ cwd: '/two', ...CONFIG })
    clock.at -= 24 * 3_600_000
    store.log(first).append(input('Later, on the day before'))
    const third = store.sessions.create({ cwd: '/three', ...CONFIG })
    expect(store.sessions.list().map(({ sessionId }) => sessionId)).toEqual([third, first, second])
    expect([...store.log(first).read()].map(({ seq, event }) => [seq, event.kind])).toEqual([
      [1, 'SESSION_START'],
      [3, 'USER_INPUT'],
    ])
  })

  it('notifies watchers of every change, and when a process starts or stops running the session', async () => {
    const store = await opened(tempFolder())
    const told: [string, boolean][] = []
    const watching = store.subscribeAll(({ title, running }) => told.push([title, running]))
    const id = store.sessions.create({ cwd: '/w', ...CONFIG })
    store.claims.acquire(id)
    store.log(id).append(input('Title'))
    store.claims.release(id)
    watching.dispose()
    store.log(id).append(input('unheard'))
    expect(told).toEqual([
      ['', false],
      ['', true],
      ['Title', true],
      ['Title', false],
    ])
  })

  it('keeps markers by name until they are removed', async () => {
    const folder = tempFolder()
    const store = await opened(folder)
    store.sessions.mark(ID, 'archived', 'yes')
    store.sessions.mark(ID, 'colour', 'red')
    store.sessions.mark(ID, 'colour', 'blue')
    store.close()
    const again = await opened(folder)
    expect(again.sessions.markers(ID)).toEqual(new Map(Object.entries({ archived: 'yes', colour: 'blue' })))
    again.sessions.mark(ID, 'archived', null)
    expect(again.sessions.markers(ID)).toEqual(new Map([['colour', 'blue']]))
  })
})
