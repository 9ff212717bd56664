import { getEventListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import type { StreamLimits } from '../../../main/providers/http/exchange.ts'
import { collected, request } from '../../support/collected.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { gate, say, stream } from '../../support/scripted-model.ts'
import type { Bench } from './bench.ts'

/** Tests that any byte resets the idle timeout (fault 44). */
export function silence(bench: Bench): void {
  describe(`${bench.subject.name}: silence`, () => {
    const limits: StreamLimits = { connectMs: 10_000, firstByteMs: 120_000, idleMs: 45_000 }

    test('a service that sends nothing at all is abandoned after the limit for the first byte, and the connection is closed', async () => {
      const clock = manualClock()
      const { model, provider } = await bench.asked([say('never', { delivery: { hold: gate().opened } })], { clock, limits })
      const answer = collected(provider.stream(request(bench.subject.model), new AbortController().signal))
      const asking = await model.request(0)
      await clock.advance(119_999)
      expect(clock.sleeping()).toContain(1)
      await clock.advance(1)
      expect((await answer).failure).toMatchObject({ code: 'idle', retryable: true })
      expect(await asking.ended).toBe('closed')
    })

    test('a clock that is set back by a day does not make the limit longer (fault 52)', async () => {
      const clock = manualClock()
      const { model, provider } = await bench.asked([say('never', { delivery: { hold: gate().opened } })], { clock, limits })
      const answer = collected(provider.stream(request(bench.subject.model), new AbortController().signal))
      await model.request(0)
      clock.set(clock.now() - 24 * 3_600_000)
      await clock.advance(120_000)
      expect(clock.sleeping()).toEqual([])
      expect((await answer).failure).toMatchObject({ code: 'idle', retryable: true })
    })

    test('a stream that stalls is abandoned after the idle limit, and its text is kept', async () => {
      const clock = manualClock()
      const half = bench.subject.frames(say('One two three')).slice(0, bench.subject.twoWords).join('')
      const { provider } = await bench.asked([stream(half, { stops: [{ at: Buffer.byteLength(half), next: 'stall' }] })], { clock, limits })
      const events = provider.stream(request(bench.subject.model), new AbortController().signal)[Symbol.asyncIterator]()
      const seen: string[] = []
      while (seen.join('') !== 'One two ') {
        const { value } = await events.next()
        if (value?.kind === 'text') seen.push(value.text)
      }
      const last = events.next()
      await clock.sleeper(45_000)
      await clock.advance(45_000)
      expect((await last).value).toMatchObject({ kind: 'failure', failure: { code: 'idle' }, partial: { parts: [{ text: 'One two ' }] } })
    })

    test('pings keep a stream alive beyond the idle limit', async () => {
      const clock = manualClock()
      const pieces = bench.subject.frames(say('One two three'))
      const before = bench.subject.twoWords - 1
      const half = pieces.slice(0, before).join('')
      const ping = gate()
      const rest = gate()
      // A ping comes after 40 s, and the rest comes 40 s after the ping.
      const body = `${half}${bench.subject.pingFrame}${pieces.slice(before).join('')}`
      const stops = [
        { at: Buffer.byteLength(half), next: ping.opened },
        { at: Buffer.byteLength(half + bench.subject.pingFrame), next: rest.opened },
      ]
      const { provider } = await bench.asked([stream(body, { stops })], { clock, limits })
      const answer = collected(provider.stream(request(bench.subject.model), new AbortController().signal))
      await clock.sleeper(45_000)
      await clock.advance(40_000)
      const arrived = clock.read()
      ping.open()
      await arrived
      await clock.advance(40_000)
      rest.open()
      expect((await answer).text).toBe('One two three')
    })
  })
}

/** Tests that leaving a stream closes its connection. */
export function cancelling(bench: Bench): void {
  describe(`${bench.subject.name}: cancelling`, () => {
    test.each(['before it was sent', 'while nothing has come', 'in the middle of the answer'] as const)(
      'cancelled %s, it ends immediately and the connection is closed',
      async (when) => {
        const delivery = when === 'while nothing has come' ? { hold: gate().opened } : { stops: [{ at: 400, next: 'stall' as const }] }
        const { model, provider } = await bench.asked([say('One two three four five', { delivery })])
        const cancel = new AbortController()
        if (when === 'before it was sent') cancel.abort()
        const events = provider.stream(request(bench.subject.model), cancel.signal)[Symbol.asyncIterator]()
        if (when === 'in the middle of the answer') expect((await events.next()).value).toEqual({ kind: 'start' })
        const next = events.next()
        if (when !== 'before it was sent') {
          const asking = await model.request(0)
          cancel.abort()
          expect(await asking.ended).toBe('closed')
        } else expect(model.requests).toEqual([])
        let { value: last } = await next
        // Text that had arrived before the cancellation may still be shown.
        while (last?.kind === 'text') last = (await events.next()).value
        expect(last).toMatchObject({ kind: 'failure', failure: { code: 'aborted', retryable: false } })
        expect((await events.next()).done).toBe(true)
      },
    )

    test('a consumer that stops reading half way closes the connection', async () => {
      const { model, provider } = await bench.asked([say('One two three four five', { delivery: { stops: [{ at: 900, next: 'stall' }] } })])
      for await (const event of provider.stream(request(bench.subject.model), new AbortController().signal))
        if (event.kind === 'text') break
      expect(await (await model.request(0)).ended).toBe('closed')
    })

    test('fifty requests leave no listener on the signal of their session', async () => {
      const { provider } = await bench.asked(() => say('ok'))
      const { signal } = new AbortController()
      for (let round = 0; round < 50; round++) await collected(provider.stream(request(bench.subject.model), signal))
      expect(getEventListeners(signal, 'abort')).toHaveLength(0)
    })
  })
}
