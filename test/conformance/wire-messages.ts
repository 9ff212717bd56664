import { afterEach, beforeEach, expect, it } from 'vitest'
import { type WirePair, closed, received } from './wire-served.ts'

export function carriesMessages(open: () => Promise<WirePair>): void {
  let pair: WirePair
  beforeEach(async () => {
    pair = await open()
  })
  afterEach(() => pair.dispose())

  it('messages arrive in the order in which they were sent, in both directions at the same time', async () => {
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

  it('plain data of every kind arrives complete, and unusual text unchanged', async () => {
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

  it('an own property named __proto__ arrives as data and reaches no prototype', async () => {
    const message: unknown = JSON.parse('{"__proto__":{"polluted":true},"constructor":1}')
    const arrived = received(pair.main, 1)
    pair.page.send(message)
    const [copy] = await arrived
    expect(Object.hasOwn(copy as object, '__proto__')).toBe(true)
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  it.each(['page', 'main'] as const)('closing at %s notifies both sides once, and messages sent before still arrive', async (side) => {
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
  })

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

  it('asking about the end after it returns immediately, with a readable reason', async () => {
    const ends = [closed(pair.page), closed(pair.main)]
    pair.main.close('the app is quitting')
    await Promise.all(ends)
    let reason = ''
    pair.page.onClose((why) => {
      reason = why
    })
    expect(reason).not.toBe('')
  })

  it('a removed listener gets nothing more', async () => {
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
