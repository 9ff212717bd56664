import { describe, expect, test } from 'vitest'
import { call, calls, gate, message, say, text, thinking } from '../../support/scripted-model.ts'
import { faulty, type ScriptedFault } from '../../support/scripted-faults.ts'
import { endsOf, openDesk, WAYS } from './desk.ts'

const ANSWER = message([text('I write äöü. '.repeat(30)), call('write_file', { file_path: 'a.txt', content: 'x'.repeat(500) }, 'c1')])
const troubles = (desk: Awaited<ReturnType<typeof openDesk>>) =>
  desk.events().flatMap((event) => (event.kind === 'ERROR' ? [event.error.code] : []))

/** Faults 41–48 and 51, for every provider, through the entire app. */
describe.each(WAYS)('$provider', { timeout: 60_000 }, (way) => {
  test.each<[string, ScriptedFault, string]>([
    ['a refused key', { kind: 'status', status: 401 }, 'authentication'],
    ['an HTML page instead of an answer', { kind: 'html' }, 'malformed'],
    ['a required wait of more than a minute', { kind: 'status', status: 429, retryAfter: '61' }, 'rate_limit'],
    ['an event that is not JSON', { kind: 'malformed' }, 'malformed'],
  ])('%s ends the turn after one request, and no call is executed', async (_, fault, code) => {
    const desk = await openDesk(way, () => faulty(ANSWER, fault))
    expect((await desk.run('Go')).ended).toBe('error')
    expect([troubles(desk), desk.model.requests.length]).toEqual([[code], 1])
    await expect(desk.read('a.txt')).rejects.toThrow('ENOENT')
  })

  test.each<[string, ScriptedFault]>([
    ['a connection cut inside the text', { kind: 'cut', at: 1_500, how: 'reset' }],
    ['a regular end of the connection inside the text', { kind: 'cut', at: 1_500, how: 'end' }],
  ])('%s every time ends the turn after three requests, and no call is executed', async (_, fault) => {
    const desk = await openDesk(way, () => faulty(ANSWER, fault))
    expect((await desk.run('Go')).ended).toBe('error')
    expect([troubles(desk), desk.model.requests.length]).toEqual([['cut_off'], 3])
    await expect(desk.read('a.txt')).rejects.toThrow('ENOENT')
  })

  test.each<[string, ScriptedFault]>([
    ['too many requests', { kind: 'status', status: 429, retryAfter: '1' }],
    ['an overloaded service', { kind: 'status', status: 529, retryAfter: '1' }],
  ])('%s: the same bytes are sent again after the time that the service gave', async (_, fault) => {
    const desk = await openDesk(way, ({ index }) => (index === 0 ? faulty(ANSWER, fault) : say('Hello.')))
    const from = Date.now()
    expect((await desk.run('Go')).ended).toBe('completed')
    const [first, second] = desk.model.requests
    expect([desk.model.requests.length, Date.now() - from >= 1_000, first && second && Buffer.compare(first.bytes, second.bytes)]).toEqual([
      2,
      true,
      0,
    ])
  })

  test('characters split between chunks, and a slow start, change nothing', async () => {
    const opened = gate()
    const desk = await openDesk(way, ({ index }) =>
      index === 0 ? faulty(say('äöü 日本 👩‍👩‍👧'), { kind: 'split', bytes: 3 }) : faulty(say('late'), { kind: 'delay', until: opened.opened }),
    )
    await desk.run('One')
    const second = desk.run('Two')
    await desk.model.request(1)
    opened.open()
    await second
    const said = desk.events().flatMap((event) => (event.kind === 'ASSISTANT_TURN' ? event.parts : []))
    expect(said.map((part) => (part.kind === 'text' ? part.text : part.kind))).toEqual(['äöü 日本 👩‍👩‍👧', 'late'])
  })

  test('Stop ends a stalled stream immediately', async () => {
    const desk = await openDesk(way, () => faulty(ANSWER, { kind: 'stall', at: 900 }))
    desk.session.submit('Go')
    const asked = await desk.model.request(0)
    await desk.session.stop()
    expect([await asked.ended, desk.session.state().ended]).toEqual(['closed', 'stopped'])
  })

  test('if two calls have the same id, only the first is executed, and both get a result', async () => {
    const two = calls(call('write_file', { file_path: 'a.txt', content: 'a' }), call('write_file', { file_path: 'b.txt', content: 'b' }))
    const desk = await openDesk(way, ({ index }) => (index === 0 ? faulty(two, { kind: 'duplicate_ids' }) : say('Done.')))
    expect((await desk.run('Go')).ended).toBe('completed')
    expect([await desk.read('a.txt'), endsOf(desk).filter(({ isError }) => isError).length]).toEqual(['a', 1])
    expect(endsOf(desk)).toHaveLength(2)
    await expect(desk.read('b.txt')).rejects.toThrow('ENOENT')
  })

  test('a session from another provider continues here with its tool calls, reasoning and picture (fault 51)', async () => {
    for (const before of WAYS.filter(({ provider }) => provider !== way.provider)) {
      const desk = await openDesk(before, ({ index }) => {
        if (index > 0) return say('Done.')
        return message([thinking('SECRET-THOUGHT', 'SECRET-SIGNATURE'), text('I look.'), call('read_file', { file_path: 'p.png' }, 'c|1')])
      })
      await desk.write('p.png', '')
      await desk.run('Go')
      await desk.allow(way)
      desk.session.configure({ provider: way.provider, model: way.model, baseUrl: `${desk.model.url}${way.path}` })
      expect((await desk.run('Go on')).ended).toBe('completed')
      const last = desk.model.requests.at(-1)
      const said = JSON.stringify(last?.json)
      expect(said).toMatch(/I look\./)
      expect(said).toContain('read_file')
      expect(said).not.toMatch(/SECRET-/)
    }
  })
})
