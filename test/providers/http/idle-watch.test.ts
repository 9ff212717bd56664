import { expect, it, vi } from 'vitest'
import { IdleWatch } from '../../../main/providers/http/idle-watch.ts'
import { Emitter } from '../../../shared/lib/emitter.ts'
import { manualClock } from '../../support/manual-clock.ts'

/** A watch with a limit of five minutes, and what has happened. */
function watched() {
  const clock = manualClock()
  const woke = new Emitter<void>()
  let gaveUp = 0
  const watch = new IdleWatch(clock, 300_000, () => gaveUp++, woke.event)
  return { clock, woke, watch, gaveUp: () => gaveUp }
}

it('after the computer woke up, silence of 15 s is enough to give up a connection that did not survive the sleep', async () => {
  const { clock, woke, watch, gaveUp } = watched()
  watch.waiting()
  await clock.advance(60_000)
  woke.fire()
  await clock.sleeper(15_000)
  await clock.advance(14_999)
  expect(gaveUp()).toBe(0)
  await clock.advance(1)
  expect([gaveUp(), woke.isHeard]).toEqual([1, false])
})

it('a connection that sends something after the computer woke up has its whole limit again', async () => {
  const { clock, woke, watch, gaveUp } = watched()
  watch.waiting()
  woke.fire()
  await clock.sleeper(15_000)
  watch.arrived()
  watch.waiting()
  await clock.advance(299_999)
  expect(gaveUp()).toBe(0)
  await clock.advance(1)
  expect(gaveUp()).toBe(1)
})

it('waking up ends nothing while nothing is awaited, and a stopped watch no longer listens', async () => {
  const { clock, woke, watch, gaveUp } = watched()
  watch.waiting()
  watch.arrived()
  woke.fire()
  await clock.advance(200_000)
  expect(gaveUp()).toBe(0)
  watch.stop()
  await vi.waitFor(() => expect(woke.isHeard).toBe(false))
  await clock.advance(400_000)
  expect(gaveUp()).toBe(0)
})
