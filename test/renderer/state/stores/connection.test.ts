import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { Connection } from '../../../../renderer/state/stores/connection.ts'
import { SignedOut } from '../../../../renderer/wire/sign-in.ts'
import { otherSide, when } from '../support/other-side.ts'

describe('the connection of a window', () => {
  test('opens automatically and transports calls', async () => {
    const side = otherSide({ workspace: { recent: () => ({ folders: ['/code'] }) } })
    const connection = new Connection(side.open)
    expect(connection.client).toBe(null)
    await when(connection.state, (state) => state.kind === 'open')
    expect(await connection.client?.workspace.recent({})).toEqual({ folders: ['/code'] })
    connection.dispose()
  })

  test('after a break knows the reason and the time of the break, and restarts every subscription on the next connection', async () => {
    const side = otherSide({})
    const connection = new Connection(side.open)
    const starts = Promise.withResolvers<void>()
    const signals: AbortSignal[] = []
    connection.keep(async (_, signal) => {
      signals.push(signal)
      if (signals.length === 2) starts.resolve()
    })
    await when(connection.state, (state) => state.kind === 'open')
    side.breakWire('main was ended')
    const lost = await when(connection.state, (state) => state.kind === 'lost')
    expect(lost).toEqual({ kind: 'lost', why: 'main was ended', sinceMs: expect.any(Number), againAtMs: expect.any(Number) })
    expect(signals.map((signal) => signal.aborted)).toEqual([true])
    await starts.promise
    expect(connection.state.getState()).toEqual({ kind: 'open' })
    expect(side.opened()).toBe(2)
    connection.dispose()
  })

  test('keeps trying while the server is down, and gives the time of the first break', async () => {
    const side = otherSide({})
    side.away = true
    const connection = new Connection(side.open)
    const first = await when(connection.state, (state) => state.kind === 'lost')
    const second = await when(connection.state, (state) => state.kind === 'lost' && state !== first)
    expect(second).toMatchObject({ kind: 'lost', why: 'Nobody answers.', sinceMs: first.kind === 'lost' ? first.sinceMs : null })
    side.away = false
    connection.retry()
    await when(connection.state, (state) => state.kind === 'open')
    connection.dispose()
  })

  test('opens only one connection if the user retries during an attempt', async () => {
    const side = otherSide({})
    side.away = true
    const gate = Promise.withResolvers<void>()
    let attempts = 0
    const connection = new Connection(async () => {
      attempts++
      if (attempts === 2) await gate.promise
      return side.open()
    })
    await when(connection.state, (state) => state.kind === 'lost')
    side.away = false
    connection.retry()
    connection.retry()
    connection.retry()
    gate.resolve()
    await when(connection.state, (state) => state.kind === 'open')
    expect({ attempts, opened: side.opened() }).toEqual({ attempts: 2, opened: 1 })
    connection.dispose()
  })

  test('stops trying once the window is signed out, and says what to do until it gets a new address', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const side = otherSide({})
    let attempts = 0
    let isSignedOut = true
    const connection = new Connection(() => {
      attempts++
      return isSignedOut ? Promise.reject(new SignedOut()) : side.open()
    })
    const state = await when(connection.state, ({ kind }) => kind === 'signed_out')
    expect(state).toEqual({ kind: 'signed_out', why: new SignedOut().message, hadAddress: false })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(attempts).toBe(1)
    isSignedOut = false
    connection.retry()
    await when(connection.state, ({ kind }) => kind === 'open')
    connection.dispose()
  })

  test('restarts a failed subscription without disturbing the others', async () => {
    const side = otherSide({})
    const connection = new Connection(side.open)
    const again = Promise.withResolvers<void>()
    let failing = 0
    let sound = 0
    connection.keep(() => {
      if (++failing === 2) again.resolve()
      return failing === 1 ? Promise.reject(new Error('a bug over there')) : Promise.resolve()
    })
    connection.keep(() => {
      sound++
      return Promise.resolve()
    })
    await again.promise
    expect({ failing, sound, opened: side.opened(), state: connection.state.getState() }).toEqual({
      failing: 2,
      sound: 1,
      opened: 1,
      state: { kind: 'open' },
    })
    connection.dispose()
  })

  test('ends a canceled subscription and delivers nothing more to it', async () => {
    const side = otherSide({})
    const connection = new Connection(side.open)
    await when(connection.state, (state) => state.kind === 'open')
    const ended = Promise.withResolvers<string>()
    let starts = 0
    const kept = connection.keep((_, signal) => {
      starts++
      signal.addEventListener('abort', () => ended.resolve(String((signal.reason as Error).message)))
      return Promise.resolve()
    })
    kept.dispose()
    expect(await ended.promise).toBe('no longer watched')
    side.breakWire()
    await when(connection.state, (state) => state.kind === 'lost')
    await when(connection.state, (state) => state.kind === 'open')
    expect(starts).toBe(1)
    connection.dispose()
  })
})
