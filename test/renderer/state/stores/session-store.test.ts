import { describe, expect, test } from 'vitest'
import type { SessionStreamItem } from '../../../../shared/api/sessions.ts'
import type { AnyEnvelope, DurableEvent } from '../../../../shared/session/events.ts'
import { emptySession, foldAll } from '../../../../shared/session/fold/fold.ts'
import type { Item, SessionState } from '../../../../shared/session/state.ts'
import { Connection } from '../../../../renderer/state/stores/connection.ts'
import { followSession } from '../../../../renderer/state/stores/session-store.ts'
import { AsyncQueue } from '../../../../shared/lib/async-queue.ts'
import { answer, begun, input, SESSION, stamped, started } from '../../../agent/support/events.ts'
import { otherSide, when } from '../support/other-side.ts'
import { testWindow } from '../support/window.ts'

const window = testWindow()

const text = (words: string) => ({ kind: 'text', text: words }) as const
const delta = (words: string): AnyEnvelope => ({
  seq: null,
  sessionId: SESSION,
  at: 9_000,
  event: { kind: 'ASSISTANT_TEXT_DELTA', text: words },
})
const END: DurableEvent = { kind: 'PROCESSING_END', reason: 'completed' }
const turn = (words: string): readonly DurableEvent[] => [input(words), answer([text(`On ${words}.`)]), END]

/** Creates a session of `turns` turns. Its snapshots contain the newest `held` entries. */
function log(turns: number) {
  const envelopes = stamped([started(), ...Array.from({ length: turns }, (_, index) => turn(`turn ${index}`)).flat()])
  const whole = foldAll(emptySession(SESSION), envelopes)
  const last = (held: number): SessionState => ({
    ...whole,
    firstItem: whole.items.length - held,
    items: whole.items.slice(whole.items.length - held),
  })
  return { whole, last }
}

/** Opens the session through a scripted other side. Each opening is recorded with its cursor, and the test feeds its stream. */
function opened(page?: (before: number, limit: number) => { firstItem: number; items: readonly Item[] }) {
  const cursors: (number | null)[] = []
  const feeds: AsyncQueue<SessionStreamItem>[] = []
  const waiting = new Map<number, () => void>()
  const side = otherSide({
    sessions: {
      open: ({ cursor }) => {
        cursors.push(cursor)
        const feed = new AsyncQueue<SessionStreamItem>(() => {})
        feeds.push(feed)
        waiting.get(feeds.length)?.()
        return feed
      },
      page: ({ before, limit }) => page?.(before, limit) ?? { firstItem: 0, items: [] },
    },
  })
  const connection = new Connection(side.open)
  const followed = followSession(connection, SESSION)
  return {
    ...followed,
    side,
    connection,
    cursors,
    /** Resolves when the window has opened the session this many times. */
    times: (count: number) => (feeds.length >= count ? Promise.resolve() : new Promise<void>((resolve) => waiting.set(count, resolve))),
    feed: (item: SessionStreamItem) => feeds.at(-1)?.push(item),
    end: () => feeds.at(-1)?.end(),
    session: () => followed.store.getState().session,
    snapshot: () => when(followed.store, (open) => open.session !== null).then((open) => open.session),
  }
}

describe('a session followed by a window', () => {
  test('a flood of text updates the store once per frame and loses nothing', async () => {
    const { whole } = log(2)
    const one = opened()
    await one.times(1)
    one.feed({ kind: 'snapshot', state: whole })
    await one.snapshot()
    const flood = Array.from({ length: 1_000 }, (_, index) => delta(`${index} `))
    let changes = 0
    one.store.subscribe(() => changes++)
    for (const envelope of flood) one.feed({ kind: 'events', envelopes: [envelope] })
    await new Promise(setImmediate)
    expect({ changes, frames: window.asked }).toEqual({ changes: 0, frames: 1 })
    window.draw()
    expect(changes).toBe(1)
    expect(one.session()).toEqual(foldAll(whole, flood))
    one.connection.dispose()
  })

  test('after a break in the connection, an idle session continues from its cursor and misses nothing', async () => {
    const { whole } = log(1)
    const one = opened()
    await one.times(1)
    one.feed({ kind: 'snapshot', state: whole })
    await one.snapshot()
    one.side.breakWire()
    await one.times(2)
    expect(one.cursors).toEqual([null, whole.cursor])
    const more = log(2).whole
    const envelopes = stamped([started(), ...turn('turn 0'), ...turn('turn 1')])
    one.feed({ kind: 'events', envelopes })
    await new Promise(setImmediate)
    window.draw()
    expect(one.session()).toEqual(more)
    one.connection.dispose()
  })

  test('after a break during a turn, the last page is loaded again and older entries are kept', async () => {
    const { whole, last } = log(3)
    const running = { ...whole, run: 'PROCESSING' } as const
    const one = opened()
    await one.times(1)
    one.feed({ kind: 'snapshot', state: running })
    await one.snapshot()
    one.side.breakWire()
    await one.times(2)
    expect(one.cursors).toEqual([null, null])
    one.feed({ kind: 'snapshot', state: last(2) })
    await when(one.store, ({ session }) => session?.run === 'IDLE')
    expect(one.session()).toEqual(whole)
    one.connection.dispose()
  })

  test('a reset discards the state and starts with the next snapshot', async () => {
    const { whole, last } = log(3)
    const one = opened()
    await one.times(1)
    one.feed({ kind: 'snapshot', state: whole })
    await one.snapshot()
    one.feed({ kind: 'events', envelopes: [delta('half a word')] })
    one.feed({ kind: 'reset', why: 'The window’s copy is out of date and must be loaded again.' })
    await when(one.store, ({ session }) => session === null)
    window.draw()
    expect(one.session()).toBe(null)
    one.feed({ kind: 'snapshot', state: last(1) })
    await one.snapshot()
    expect(one.session()).toEqual(last(1))
    expect(one.store.getState().resetWhy).toBe('The window’s copy is out of date and must be loaded again.')
    one.forgetReset()
    expect(one.store.getState().resetWhy).toBe(null)
    one.connection.dispose()
  })

  test('a session that the main process does not have is reported as missing', async () => {
    const one = opened()
    await one.times(1)
    one.end()
    expect(await when(one.store, (open) => open.isMissing)).toEqual({ session: null, isMissing: true, resetWhy: null, loadingOlder: false })
    one.connection.dispose()
  })
})

describe('older entries', () => {
  test('are prepended page by page until the whole ledger is loaded', async () => {
    const { whole, last } = log(4)
    const asked: (readonly [number, number])[] = []
    const one = opened((before, limit) => {
      asked.push([before, limit])
      const firstItem = Math.max(0, before - 3)
      return { firstItem, items: whole.items.slice(firstItem, before) }
    })
    await one.times(1)
    one.feed({ kind: 'snapshot', state: last(2) })
    await one.snapshot()
    await Promise.all([one.loadOlder(), one.loadOlder()])
    expect(one.session()).toEqual(last(5))
    await one.loadOlder()
    await one.loadOlder()
    expect(one.session()).toEqual(whole)
    expect(asked).toEqual([
      [6, 100],
      [3, 100],
    ])
    one.connection.dispose()
  })

  test('are dropped while the end is shown, but neither a call that runs nor what follows it', async () => {
    const { whole } = log(120)
    const one = opened((before, limit) => {
      const firstItem = Math.max(0, before - limit)
      return { firstItem, items: whole.items.slice(firstItem, before) }
    })
    await one.times(1)
    one.feed({ kind: 'snapshot', state: whole })
    await one.snapshot()
    expect(whole.items.length).toBeGreaterThan(200)
    one.dropOlder()
    expect(one.session()).toEqual({ ...whole, firstItem: whole.items.length - 100, items: whole.items.slice(-100) })
    one.dropOlder()
    expect(one.session()?.items).toHaveLength(100)
    await one.loadOlder()
    expect(one.session()?.items).toEqual(whole.items.slice(-200))

    const running = foldAll(emptySession(SESSION), stamped([started(), input('x'), begun('c1')])).items.slice(1)
    one.feed({ kind: 'snapshot', state: { ...whole, items: [...whole.items.slice(0, 9), ...running, ...whole.items.slice(9)] } })
    await when(one.store, ({ session }) => session?.items.length === whole.items.length + running.length)
    one.dropOlder()
    expect(one.session()?.firstItem).toBe(9)
    one.connection.dispose()
  })

  test('are rejected if they leave a gap or contain a call that may have ended since', async () => {
    const { whole, last } = log(4)
    const open = foldAll(emptySession(SESSION), stamped([started(), input('x'), begun('c1')])).items
    const pages = [
      { firstItem: 0, items: whole.items.slice(0, 2) },
      { firstItem: 4, items: [...whole.items.slice(4, 5), ...open.slice(1)] },
    ]
    const one = opened(() => pages.shift() ?? { firstItem: 0, items: [] })
    await one.times(1)
    one.feed({ kind: 'snapshot', state: last(2) })
    await one.snapshot()
    await one.loadOlder()
    await one.loadOlder()
    expect(one.session()).toEqual(last(2))
    one.connection.dispose()
  })
})
