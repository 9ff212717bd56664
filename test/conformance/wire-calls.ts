import { getEventListeners, once } from 'node:events'
import { expect, it } from 'vitest'
import { type WirePair, closed, failure, servedEach } from './wire-served.ts'

export function carriesCalls(open: () => Promise<WirePair>): void {
  const at = servedEach(open)

  it('a call gets its own answer, and the handler gets the connection and the parsed input', async () => {
    expect(await at.now().client.bench.echo({ text: 'hello' })).toEqual({ text: 'hello', connection: 'window-1', padded: 'none' })
  })

  it('a thousand simultaneous calls each get their own answer, even if the answers come out of order', async () => {
    const { client } = at.now()
    const answers = await Promise.all(Array.from({ length: 1_000 }, (_, index) => client.bench.later({ index, turns: (index * 7) % 13 })))
    expect(answers).toEqual(Array.from({ length: 1_000 }, (_, index) => index))
  })

  it('a bug in a handler fails that call without its details, is reported to the process, and the next call works', async () => {
    const { client, bugs } = at.now()
    expect(await failure(client.bench.broken({}))).toEqual({
      code: 'internal',
      message: 'bench.broken failed unexpectedly; the process in which it ran has reported the details.',
    })
    expect(bugs).toEqual(['bench.broken'])
    expect(await client.bench.later({ index: 5, turns: 0 })).toBe(5)
  })

  it('a call that runs while the connection ends fails with "closed", and its handler is aborted', async () => {
    const { client, bench, pair } = at.now()
    const lost = failure(client.bench.wait({}))
    const handler = await bench.started()
    pair.page.close('window closed')
    expect((await lost).code).toBe('closed')
    if (!handler.signal.aborted) await once(handler.signal, 'abort')
    expect(handler.signal.aborted).toBe(true)
  })

  it('a call made after the end fails with "closed" and reaches no handler', async () => {
    const { client, bench, pair } = at.now()
    const ends = [closed(pair.page), closed(pair.main)]
    pair.main.close('the app is quitting')
    await Promise.all(ends)
    expect((await failure(client.bench.echo({ text: 'late' }))).code).toBe('closed')
    expect(bench.calls).toEqual([])
  })
}

export function carriesStreams(open: () => Promise<WirePair>): void {
  const at = servedEach(open)

  it('a stream of 100 000 items arrives completely and in order, then ends', async () => {
    let next = 0
    for await (const item of at.now().client.bench.count({ to: 100_000 }, new AbortController().signal)) {
      if (item !== next) throw new Error(`expected ${next}, got ${item}`)
      next++
    }
    expect(next).toBe(100_000)
  })

  it('streams and calls share a connection: a call is answered while a stream runs', async () => {
    const { client } = at.now()
    const abort = new AbortController()
    const stream = client.bench.forever({}, abort.signal)[Symbol.asyncIterator]()
    expect(await stream.next()).toEqual({ value: 0, done: false })
    expect(await client.bench.later({ index: 9, turns: 2 })).toBe(9)
    abort.abort()
  })

  it('aborting the signal ends the loop on this side and the handler on the other', async () => {
    const { client, bench } = at.now()
    const abort = new AbortController()
    const items: number[] = []
    for await (const item of client.bench.forever({}, abort.signal)) {
      items.push(item)
      abort.abort()
    }
    expect(items).toEqual([0])
    await bench.ended()
    expect(getEventListeners(abort.signal, 'abort')).toEqual([])
  })

  it('leaving the loop early cancels the handler on the other side', async () => {
    const { client, bench } = at.now()
    const signal = new AbortController().signal
    for await (const item of client.bench.forever({}, signal)) {
      expect(item).toBe(0)
      break
    }
    await bench.ended()
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('cancelling a stream that waits for its next item ends it immediately, whether its handler checks its signal or not', async () => {
    const { client, bench } = at.now()
    const abort = new AbortController()
    const reader = client.bench.stuck({}, abort.signal)[Symbol.asyncIterator]()
    expect(await reader.next()).toEqual({ value: 0, done: false })
    const waiting = reader.next()
    abort.abort()
    expect(await waiting).toEqual({ value: undefined, done: true })
    await bench.ended()
    expect(await client.bench.later({ index: 6, turns: 0 })).toBe(6)
  })

  it('a stream whose connection ends while it waits for its next item ends immediately, too', async () => {
    const { client, bench, pair } = at.now()
    const reader = client.bench.stuck({}, new AbortController().signal)[Symbol.asyncIterator]()
    await reader.next()
    const lost = failure(reader.next())
    pair.page.close('window closed')
    expect((await lost).code).toBe('closed')
    await bench.ended()
  })

  it('a call with an aborted signal sends nothing', async () => {
    const { client, bench } = at.now()
    for await (const item of client.bench.forever({}, AbortSignal.abort())) throw new Error(`unexpected item ${item}`)
    expect(await client.bench.later({ index: 1, turns: 0 })).toBe(1)
    expect(bench.calls).toEqual(['later'])
  })

  it('a finished stream leaves no listener on its signal', async () => {
    const { signal } = new AbortController()
    const { client } = at.now()
    for (let round = 0; round < 3; round++) for await (const item of client.bench.count({ to: 2 }, signal)) expect(item).toBeLessThan(2)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('a bug during a stream delivers the earlier items, then the failure', async () => {
    const { client, bugs } = at.now()
    const items: number[] = []
    const loop = async (): Promise<void> => {
      for await (const item of client.bench.breaks({ after: 3 }, new AbortController().signal)) items.push(item)
    }
    expect((await failure(loop())).code).toBe('internal')
    expect([items, bugs]).toEqual([[0, 1, 2], ['bench.breaks']])
  })

  it('the end of the connection fails every open stream with "closed" and aborts every handler', async () => {
    const { client, bench, pair } = at.now()
    const loops = Array.from({ length: 5 }, async () => {
      for await (const item of client.bench.forever({}, new AbortController().signal)) if (item === 0) bench.seen()
    })
    await bench.allSeen(5)
    const failures = loops.map(failure)
    pair.main.close('the app is quitting')
    expect((await Promise.all(failures)).map(({ code }) => code)).toEqual(['closed', 'closed', 'closed', 'closed', 'closed'])
    for (let index = 0; index < 5; index++) await bench.ended()
  })
}
