import { describe, expect, it } from 'vitest'
import type { EventLog } from '../../main/agent/ports/event-log.ts'
import { SessionId } from '../../shared/lib/ids.ts'
import type { AnyEnvelope, DurableEvent, Envelope } from '../../shared/session/events.ts'

/** A place that keeps logs. `log` may be called again for the same session, and `now` is the time of its clock. */
export interface LogHome {
  log(sessionId: SessionId): EventLog
  readonly now: number
}

const A = SessionId.parse('session-a')
const B = SessionId.parse('session-b')
const said = (text: string): DurableEvent => ({ kind: 'USER_INPUT', inputId: text.slice(0, 20), text, delivery: 'prompt' })
const seqs = (envelopes: readonly AnyEnvelope[]): readonly (number | null)[] => envelopes.map(({ seq }) => seq)

/** Tests the promises of the port `EventLog`, which every implementation must keep. `open` creates a new, empty home. */
export function eventLogConformance(name: string, open: () => Promise<LogHome>): void {
  describe(`${name} keeps the promises of EventLog`, () => {
    it('append returns what it stored: growing seq, after = the event before it in the session, the time of the clock', async () => {
      const home = await open()
      const log = home.log(A)
      const [one, two] = log.append(said('one'), said('two'))
      const [three] = log.append(said('three'))
      const at = home.now
      expect(one).toEqual({ seq: one?.seq, sessionId: A, after: null, at, event: said('one') })
      expect(two).toEqual({ seq: (one?.seq ?? 0) + 1, sessionId: A, after: one?.seq, at, event: said('two') })
      expect(three?.seq).toBeGreaterThan(two?.seq ?? 0)
      expect(three?.after).toBe(two?.seq)
    })

    it('read gives exactly what was appended, in order, and nothing of other sessions, whose events are in between', async () => {
      const home = await open()
      const appended: Record<string, Envelope[]> = { [A]: [], [B]: [] }
      for (let n = 0; n < 1200; n++) {
        const id = n % 3 ? A : B
        appended[id]?.push(...home.log(id).append(said(`${n}`)))
      }
      expect([...home.log(A).read()]).toEqual(appended[A])
      expect([...home.log(B).read()]).toEqual(appended[B])
      expect([...home.log(SessionId.parse('session-c')).read()]).toEqual([])
    })

    it.each([
      ['an empty text', ''],
      ['a NUL', 'a\0b'],
      ['half of a character', `a\uD83D`],
      ['quotes, line endings and characters of every width', '"\\\r\n\u2028é漢🖋'],
      ['a million characters', 'x'.repeat(1_000_000)],
    ])('%s comes back unchanged', async (_, text) => {
      const log = (await open()).log(A)
      log.append(said(text))
      expect([...log.read()].map(({ event }) => event)).toEqual([said(text)])
    })

    it('a batch is stored completely or not at all, and nothing of a failed one is published', async () => {
      const log = (await open()).log(A)
      log.append(said('before'))
      const heard: AnyEnvelope[] = []
      log.subscribe((envelope) => heard.push(envelope))
      const unstorable = { kind: 'CONTEXT_WARNING', usagePercent: 1n } as unknown as DurableEvent
      expect(() => log.append(said('good'), unstorable)).toThrow()
      expect([...log.read()].map(({ event }) => event)).toEqual([said('before')])
      expect(heard).toEqual([])
      const [next] = log.append(said('after'))
      expect(heard).toEqual([next])
    })

    it('an event is published after it is stored: a subscriber finds it in the log', async () => {
      const log = (await open()).log(A)
      const found: boolean[] = []
      log.subscribe((envelope) => found.push([...log.read()].some(({ seq }) => seq === envelope.seq)))
      log.append(said('one'), said('two'))
      expect(found).toEqual([true, true])
    })

    it('every subscriber gets every later event, once and in order, until it unsubscribes', async () => {
      const home = await open()
      const log = home.log(A)
      log.append(said('unheard'))
      const first: AnyEnvelope[] = []
      const second: AnyEnvelope[] = []
      log.subscribe((envelope) => first.push(envelope))
      const [one] = log.append(said('one'))
      const leaving = log.subscribe((envelope) => second.push(envelope))
      log.publish({ kind: 'ASSISTANT_TEXT_DELTA', text: 'lo' })
      const [two] = log.append(said('two'))
      leaving.dispose()
      leaving.dispose()
      const [three] = log.append(said('three'))
      const live = { seq: null, sessionId: A, at: home.now, event: { kind: 'ASSISTANT_TEXT_DELTA', text: 'lo' } }
      expect(first).toEqual([one, live, two, three])
      expect(second).toEqual([live, two])
      expect([...log.read()].map(({ event }) => event)).toEqual(['unheard', 'one', 'two', 'three'].map(said))
    })

    it('a subscriber of one session gets nothing of another', async () => {
      const home = await open()
      const heard: AnyEnvelope[] = []
      home.log(A).subscribe((envelope) => heard.push(envelope))
      home.log(B).append(said('b'))
      home.log(B).publish({ kind: 'ASSISTANT_TEXT_START' })
      expect(heard).toEqual([])
    })

    it('a subscriber that appends during a notification keeps the order for everyone', async () => {
      const log = (await open()).log(A)
      const orders: (number | null)[][] = [[], [], []]
      log.subscribe(({ seq }) => orders[0]?.push(seq))
      log.subscribe(({ seq, event }) => {
        orders[1]?.push(seq)
        if (event.kind === 'USER_INPUT' && event.text === 'first') log.append(said('caused'), said('caused too'))
      })
      log.subscribe(({ seq }) => orders[2]?.push(seq))
      log.append(said('first'), said('second'))
      const stored = seqs([...log.read()])
      expect(stored).toHaveLength(4)
      expect(orders).toEqual([stored, stored, stored])
    })

    it('transact appends what the callback returns, and nothing if it returns nothing', async () => {
      const log = (await open()).log(A)
      const heard: AnyEnvelope[] = []
      log.subscribe((envelope) => heard.push(envelope))
      const stored = log.transact(() => [said('one'), said('two')])
      expect(stored.map(({ event }) => event)).toEqual([said('one'), said('two')])
      expect(log.transact(() => [])).toEqual([])
      expect([...log.read()]).toEqual(stored)
      expect(heard).toEqual(stored)
    })

    it('a callback that throws stores nothing', async () => {
      const log = (await open()).log(A)
      expect(() =>
        log.transact(() => {
          throw new Error('undecided')
        }),
      ).toThrow('undecided')
      expect([...log.read()]).toEqual([])
      log.append(said('one'))
      expect([...log.read()]).toHaveLength(1)
    })

    it('appending inside the callback is a bug and is refused before anything is stored', async () => {
      const log = (await open()).log(A)
      expect(() => log.transact(() => log.append(said('inside')).map(({ event }) => event))).toThrow('inside transact')
      expect([...log.read()]).toEqual([])
    })

    it('reading does not block appending', async () => {
      const log = (await open()).log(A)
      for (let n = 0; n < 700; n++) log.append(said(`${n}`))
      const read: string[] = []
      for (const { event } of log.read()) {
        if (event.kind === 'USER_INPUT') read.push(event.text)
        if (read.length === 1) log.append(said('meanwhile'))
      }
      expect(read.slice(0, 700)).toEqual(Array.from({ length: 700 }, (_, n) => `${n}`))
    })
  })
}
