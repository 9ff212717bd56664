import { expect, it } from 'vitest'
import type { Client } from '../../shared/wire/contract.ts'
import { MAX_FRAME_BYTES } from '../../shared/wire/frames.ts'
import type { benchContract } from './wire-bench.ts'
import { type WirePair, failure, received, servedEach } from './wire-served.ts'

export function refuses(open: () => Promise<WirePair>): void {
  const at = servedEach(open)
  const raw = async (frame: unknown): Promise<unknown> => {
    const answer = received(at.now().pair.page, 1)
    at.now().pair.page.send(frame)
    return (await answer)[0]
  }

  it.each([
    ['not an object', 'hello', null],
    ['null', null, null],
    ['an array', [], null],
    ['an unknown kind', { kind: 'ok', id: 3, output: 1 }, 3],
    ['no id', { kind: 'call', name: 'bench.echo', input: {} }, null],
    ['a negative id', { kind: 'call', id: -1, name: 'bench.echo', input: {} }, null],
    ['an id that is not an integer', { kind: 'call', id: 1.5, name: 'bench.echo', input: {} }, null],
    ['an id that is a string', { kind: 'call', id: '1', name: 'bench.echo', input: {} }, null],
    ['no input', { kind: 'call', id: 2, name: 'bench.echo' }, 2],
    ['a name that is not a string', { kind: 'call', id: 4, name: ['bench', 'echo'], input: {} }, 4],
    ['a name of 101 characters', { kind: 'call', id: 4, name: 'x'.repeat(101), input: {} }, 4],
  ])('a malformed frame (%s) gets an error and the connection stays open', async (_, frame, id) => {
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
  ])('the name "%s" is unknown, and reaches none of our code', async (name) => {
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

  it('invalid input is refused with its path before a handler gets it', async () => {
    expect(await raw({ kind: 'call', id: 1, name: 'bench.echo', input: { text: 5 } })).toEqual({
      kind: 'fail',
      id: 1,
      code: 'invalid_input',
      message: 'bench.echo: text: Invalid input: expected string, received number',
    })
    expect(at.now().bench.calls).toEqual([])
  })

  it('cancelling something that does not run is ignored', async () => {
    const { pair, client } = at.now()
    pair.page.send({ kind: 'cancel', id: 4_711 })
    expect(await client.bench.later({ index: 2, turns: 0 })).toBe(2)
  })

  it('an id that is already in use is refused', async () => {
    const { bench } = at.now()
    at.now().pair.page.send({ kind: 'call', id: 70, name: 'bench.wait', input: {} })
    await bench.started()
    expect(await raw({ kind: 'call', id: 70, name: 'bench.echo', input: { text: 'x' } })).toMatchObject({ id: 70, code: 'malformed' })
    expect(bench.calls).toEqual(['wait'])
  })

  it('a call above 8 MB fails with "too_large", is not sent, and the connection stays open', async () => {
    const { client, bench } = at.now()
    const refused = await failure(client.bench.echo({ text: 'x'.repeat(MAX_FRAME_BYTES + 1) }))
    expect(refused).toEqual({ code: 'too_large', message: 'bench.echo: the input is larger than 8 MB and was not sent.' })
    expect((await failure(listenOnce(client, MAX_FRAME_BYTES + 1))).code).toBe('too_large')
    expect(await client.bench.later({ index: 3, turns: 0 })).toBe(3)
    expect(bench.calls).toEqual(['later'])
  })

  it('a call just under 8 MB arrives complete, and so does its answer', async () => {
    const text = 'y'.repeat(MAX_FRAME_BYTES - 1_000)
    expect((await at.now().client.bench.echo({ text })).text.length).toBe(text.length)
  })

  it('input that is not plain data fails only that call', async () => {
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
