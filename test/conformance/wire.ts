import { getEventListeners, once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connect } from '../../shared/wire/connect.ts'
import type { Client } from '../../shared/wire/contract.ts'
import { MAX_FRAME_BYTES, WireError } from '../../shared/wire/frames.ts'
import { serve } from '../../shared/wire/serve.ts'
import type { Wire } from '../../shared/wire/wire.ts'
import { Bench, benchContract } from './wire-bench.ts'

/** Both ends of one connection: `page` is where the client lives, `main` where the handlers do. */
export interface WirePair {
  readonly page: Wire
  readonly main: Wire
  /** Gives back servers and sockets; the wires may be closed already. */
  dispose(): Promise<void>
}

/** What every wire promises (DESIGN §3 "Wire"), whatever carries it. */
export function wireConformance(name: string, open: () => Promise<WirePair>): void {
  describe(`${name}: carries messages`, () => {
    carriesMessages(open)
  })
  describe(`${name}: carries calls`, () => {
    carriesCalls(open)
  })
  describe(`${name}: carries streams`, () => {
    carriesStreams(open)
  })
  describe(`${name}: refuses what is wrong`, () => {
    refuses(open)
  })
}

const received = (wire: Wire, count: number): Promise<readonly unknown[]> =>
  new Promise((resolve) => {
    const all: unknown[] = []
    const heard = wire.onMessage((message) => {
      all.push(message)
      if (all.length < count) return
      heard.dispose()
      resolve(all)
    })
  })

const closed = (wire: Wire): Promise<string> => new Promise((resolve) => wire.onClose(resolve))

function carriesMessages(open: () => Promise<WirePair>): void {
  let pair: WirePair
  beforeEach(async () => {
    pair = await open()
  })
  afterEach(() => pair.dispose())

  it('messages arrive in the order in which they were sent, both ways at once', async () => {
    const count = 2_000
    const sent = Array.from({ length: count }, (_, index) => ({ index, pad: 'x'.repeat(index % 977) }))
    const atMain = received(pair.main, count)
    const atPage = received(pair.page, count)
    for (const message of sent) {
      pair.page.send(message)
      pair.main.send(message)
    }
    expect(await atMain).toEqual(sent)
    expect(await atPage).toEqual(sent)
  })

  it('plain data of every kind arrives whole, and unusual text unchanged', async () => {
    const message = {
      text: 'π \u{1F58B}  \u0000 "quoted" \\ \r\n',
      lone: '\ud800',
      numbers: [0, -1, 1.5, Number.MAX_SAFE_INTEGER, 1e-300],
      flags: [true, false, null],
      nested: { a: { b: [{ c: [] }, {}] } },
      empty: '',
    }
    const arrived = received(pair.main, 1)
    pair.page.send(message)
    expect(await arrived).toEqual([message])
  })

  it('what arrives is a copy: changing the sent value afterwards changes nothing on the other side', async () => {
    const message = { list: [1, 2, 3] }
    const arrived = received(pair.page, 1)
    pair.main.send(message)
    message.list.push(4)
    expect(await arrived).toEqual([{ list: [1, 2, 3] }])
  })

  it('an own key named __proto__ arrives as data and reaches no prototype', async () => {
    const message: unknown = JSON.parse('{"__proto__":{"polluted":true},"constructor":1}')
    const arrived = received(pair.main, 1)
    pair.page.send(message)
    const [copy] = await arrived
    expect(Object.hasOwn(copy as object, '__proto__')).toBe(true)
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  it.each(['page', 'main'] as const)(
    'closing at %s tells both sides the end once, and what was sent before still arrives',
    async (side) => {
      const other = side === 'page' ? pair.main : pair.page
      const order: string[] = []
      other.onMessage((message) => order.push(String(message)))
      const otherClosed = new Promise<void>((resolve) => {
        other.onClose(() => {
          order.push('closed')
          resolve()
        })
      })
      const ownClosed = closed(pair[side])
      pair[side].send('last words')
      pair[side].close('done here')
      pair[side].close('again')
      await Promise.all([ownClosed, otherClosed])
      pair[side].close('and again')
      expect(order).toEqual(['last words', 'closed'])
    },
  )

  it('after the end nothing is sent, nothing arrives and nothing is thrown', async () => {
    const late: unknown[] = []
    const ends = [closed(pair.page), closed(pair.main)]
    pair.page.close()
    await Promise.all(ends)
    pair.main.onMessage((message) => late.push(message))
    pair.page.onMessage((message) => late.push(message))
    pair.page.send('late')
    pair.main.send('late')
    expect(pair.main.ready?.() ?? null).toBeNull()
    await new Promise((resolve) => setImmediate(resolve))
    expect(late).toEqual([])
  })

  it('whoever asks about the end after it is told at once, with a reason for people', async () => {
    const ends = [closed(pair.page), closed(pair.main)]
    pair.main.close('the app is quitting')
    await Promise.all(ends)
    let reason = ''
    pair.page.onClose((why) => {
      reason = why
    })
    expect(reason).not.toBe('')
  })

  it('a listener that was given back hears nothing more', async () => {
    const heard: unknown[] = []
    const listener = pair.main.onMessage((message) => heard.push(message))
    const first = received(pair.main, 1)
    pair.page.send(1)
    await first
    listener.dispose()
    const second = received(pair.main, 1)
    pair.page.send(2)
    await second
    expect(heard).toEqual([1])
  })
}

interface Served {
  readonly pair: WirePair
  readonly bench: Bench
  readonly client: Client<typeof benchContract>
  readonly bugs: readonly string[]
  dispose(): Promise<void>
}

async function served(open: () => Promise<WirePair>): Promise<Served> {
  const pair = await open()
  const bench = new Bench()
  const bugs: string[] = []
  serve(pair.main, benchContract, bench.handlers, { connection: 'window-1', onBug: (_, name) => bugs.push(name) })
  return { pair, bench, bugs, client: connect(pair.page, benchContract), dispose: () => pair.dispose() }
}

function each(open: () => Promise<WirePair>): { readonly now: () => Served } {
  let current: Served
  beforeEach(async () => {
    current = await served(open)
  })
  afterEach(() => current.dispose())
  return { now: () => current }
}

const failure = (promise: Promise<unknown>): Promise<{ readonly code: string; readonly message: string }> =>
  promise.then(
    (value) => Promise.reject(new Error(`expected a failure, got ${JSON.stringify(value)}`)),
    (error: unknown) => {
      expect(error).toBeInstanceOf(WireError)
      const { code, message } = error as WireError
      return { code, message }
    },
  )

function carriesCalls(open: () => Promise<WirePair>): void {
  const at = each(open)

  it('a call gets its own answer, and the handler its connection and the parsed input', async () => {
    expect(await at.now().client.bench.echo({ text: 'hello' })).toEqual({ text: 'hello', connection: 'window-1', padded: 'none' })
  })

  it('1 000 calls at once are each answered, out of order, none mixed up', async () => {
    const { client } = at.now()
    const answers = await Promise.all(Array.from({ length: 1_000 }, (_, index) => client.bench.later({ index, turns: (index * 7) % 13 })))
    expect(answers).toEqual(Array.from({ length: 1_000 }, (_, index) => index))
  })

  it('a bug in a handler fails that call without its details, is reported to the process, and the next call works', async () => {
    const { client, bugs } = at.now()
    expect(await failure(client.bench.broken({}))).toEqual({
      code: 'internal',
      message: 'bench.broken failed unexpectedly; its own process has the details.',
    })
    expect(bugs).toEqual(['bench.broken'])
    expect(await client.bench.later({ index: 5, turns: 0 })).toBe(5)
  })

  it('a call that runs while the connection ends fails with "closed", and its handler is told to stop', async () => {
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

function carriesStreams(open: () => Promise<WirePair>): void {
  const at = each(open)

  it('a stream of 100 000 items arrives whole and in order, then ends', async () => {
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

  it('a signal that is aborted already asks for nothing', async () => {
    const { client, bench } = at.now()
    for await (const item of client.bench.forever({}, AbortSignal.abort())) throw new Error(`unexpected item ${item}`)
    expect(await client.bench.later({ index: 1, turns: 0 })).toBe(1)
    expect(bench.calls).toEqual(['later'])
  })

  it('a stream that ended holds on to nothing of its signal', async () => {
    const { signal } = new AbortController()
    const { client } = at.now()
    for (let round = 0; round < 3; round++) for await (const item of client.bench.count({ to: 2 }, signal)) expect(item).toBeLessThan(2)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('a bug in the middle of a stream gives what came before it, then the failure', async () => {
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

function refuses(open: () => Promise<WirePair>): void {
  const at = each(open)
  const raw = async (frame: unknown): Promise<unknown> => {
    const answer = received(at.now().pair.page, 1)
    at.now().pair.page.send(frame)
    return (await answer)[0]
  }

  it.each([
    ['no object', 'hello', null],
    ['null', null, null],
    ['an array', [], null],
    ['an unknown kind', { kind: 'ok', id: 3, output: 1 }, 3],
    ['no id', { kind: 'call', name: 'bench.echo', input: {} }, null],
    ['a negative id', { kind: 'call', id: -1, name: 'bench.echo', input: {} }, null],
    ['an id that is no integer', { kind: 'call', id: 1.5, name: 'bench.echo', input: {} }, null],
    ['an id as text', { kind: 'call', id: '1', name: 'bench.echo', input: {} }, null],
    ['no input', { kind: 'call', id: 2, name: 'bench.echo' }, 2],
    ['a name that is no text', { kind: 'call', id: 4, name: ['bench', 'echo'], input: {} }, 4],
    ['a name of 101 characters', { kind: 'call', id: 4, name: 'x'.repeat(101), input: {} }, 4],
  ])('a malformed frame (%s) is answered as such and the connection lives', async (_, frame, id) => {
    expect(await raw(frame)).toEqual({ kind: 'fail', id, code: 'malformed', message: 'The message is not a frame of this protocol.' })
    expect(await at.now().client.bench.later({ index: 1, turns: 0 })).toBe(1)
  })

  it.each([
    'bench.nothing',
    'nothing.echo',
    'bench',
    'bench.',
    '.echo',
    '',
    'bench.echo.echo',
    'constructor',
    '__proto__',
    'bench.constructor',
    'bench.__proto__',
    'bench.toString',
    '__proto__.toString',
    'constructor.constructor',
    'hasOwnProperty.call',
    'BENCH.echo',
  ])('the name "%s" is unknown, and nothing of ours is reached by it', async (name) => {
    expect(await raw({ kind: 'call', id: 7, name, input: { text: 'x' } })).toEqual({
      kind: 'fail',
      id: 7,
      code: 'unknown_name',
      message: `There is no call "${name}".`,
    })
    expect(at.now().bench.calls).toEqual([])
  })

  it('a command cannot be listened to and a stream cannot be called', async () => {
    expect(await raw({ kind: 'listen', id: 7, name: 'bench.echo', input: { text: 'x' } })).toMatchObject({ id: 7, code: 'unknown_name' })
    expect(await raw({ kind: 'call', id: 8, name: 'bench.forever', input: {} })).toMatchObject({ id: 8, code: 'unknown_name' })
    expect(at.now().bench.calls).toEqual([])
  })

  it('input that does not fit is refused with its path before a handler sees it', async () => {
    expect(await raw({ kind: 'call', id: 1, name: 'bench.echo', input: { text: 5 } })).toEqual({
      kind: 'fail',
      id: 1,
      code: 'invalid_input',
      message: 'bench.echo: text: Invalid input: expected string, received number',
    })
    expect(at.now().bench.calls).toEqual([])
  })

  it('cancelling what does not run is ignored', async () => {
    const { pair, client } = at.now()
    pair.page.send({ kind: 'cancel', id: 4_711 })
    expect(await client.bench.later({ index: 2, turns: 0 })).toBe(2)
  })

  it('an id that is in use already is refused', async () => {
    const { bench } = at.now()
    at.now().pair.page.send({ kind: 'call', id: 70, name: 'bench.wait', input: {} })
    await bench.started()
    expect(await raw({ kind: 'call', id: 70, name: 'bench.echo', input: { text: 'x' } })).toMatchObject({ id: 70, code: 'malformed' })
    expect(bench.calls).toEqual(['wait'])
  })

  it('a call above 8 MB fails with "too_large", is not sent, and the connection lives', async () => {
    const { client, bench } = at.now()
    const refused = await failure(client.bench.echo({ text: 'x'.repeat(MAX_FRAME_BYTES + 1) }))
    expect(refused).toEqual({ code: 'too_large', message: 'bench.echo: the input is larger than 8 MB and was not sent.' })
    expect((await failure(listenOnce(client, MAX_FRAME_BYTES + 1))).code).toBe('too_large')
    expect(await client.bench.later({ index: 3, turns: 0 })).toBe(3)
    expect(bench.calls).toEqual(['later'])
  })

  it('a call just under 8 MB arrives whole, and so does its answer', async () => {
    const text = 'y'.repeat(MAX_FRAME_BYTES - 1_000)
    expect((await at.now().client.bench.echo({ text })).text.length).toBe(text.length)
  })

  it('input that is no plain data fails that call alone', async () => {
    const { client, bench } = at.now()
    const loop: { self?: unknown } = {}
    loop.self = loop
    const unplain = client.bench.anything as unknown as (input: unknown) => Promise<unknown>
    expect(await failure(unplain({ value: 1n, act: () => 1 }))).toMatchObject({ code: 'invalid_input' })
    expect(await failure(unplain(loop))).toMatchObject({ code: 'too_large' })
    expect(await client.bench.later({ index: 4, turns: 0 })).toBe(4)
    expect(bench.calls).toEqual(['later'])
  })
}

async function listenOnce(client: Client<typeof benchContract>, size: number): Promise<void> {
  for await (const item of client.bench.padded({ pad: 'x'.repeat(size) }, new AbortController().signal)) expect(item).toBe('never')
}
