import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BodyFormat } from '../../main/providers/body/body-format.ts'
import type { ContentPart, ProviderId } from '../../shared/session/content.ts'
import type { Turn } from '../../shared/session/conversation-turns.ts'
import { bodyOf, textWriter } from '../providers/support/bodies.ts'
import { asks, assistant, results, steering, thought, user, words } from '../providers/support/turns.ts'
import { request } from '../support/collected.ts'

/** A vendor's request format, with the functions that a test needs to read it. */
export interface BodySubject {
  readonly format: BodyFormat
  readonly model: string
  /** Removes the cache marks, which move from request to request. */
  unmarked(body: string): string
  /** Returns the ids of all calls and of all results, in order. Where the vendor has no ids, returns the tool names instead. */
  pairs(body: Readonly<Record<string, unknown>>): { readonly calls: readonly string[]; readonly results: readonly string[] }
  /** Parts that another vendor's model may have left in the history and that may not be sent to this vendor. */
  readonly foreign: readonly ContentPart[]
}

const OTHERS: readonly ProviderId[] = ['anthropic', 'openai', 'gemini', 'openai-compatible']

/** Tests the promises of every vendor's requests (L-11, L-21; fault 51; security 3.4). */
export function requestBodies({ format, model, unmarked, pairs, foreign }: BodySubject): void {
  const own = { provider: format.provider, model }
  const tools = [{ name: 't', description: 'd', parameters: { type: 'object', properties: {} } }]

  describe(`${format.provider}: requests`, () => {
    test('the prefix is byte-stable: each request begins with the previous one, except for its end', () => {
      const write = textWriter(format)
      const turns: Turn[] = [user('Go')]
      let before = ''
      for (let round = 0; round < 30; round++) {
        const body = unmarked(write(request(model, { turns: [...turns], tools, system: 'Be good.' })))
        expect(body.startsWith(before)).toBe(true)
        before = body.slice(0, -format.tail.length)
        turns.push(
          assistant([thought('hm'), words(`Round ${round}`), asks(`c${round}`, 't', `{"n":${round}}`)], own),
          results([`c${round}`, 'ok']),
        )
        if (round % 7 === 3) turns.push(steering('More'))
      }
    })

    test('another process serializes equal turns to the same bytes', () => {
      const turns = [user('Go'), assistant([thought('hm'), asks('c1', 't', '{}')], own), results(['c1', 'ok'])]
      const asked = request(model, { turns, tools, effort: 'high' })
      expect(textWriter(format)(structuredClone(asked))).toBe(textWriter(format)(asked))
    })

    test('a failed result without text says that it failed, in any format', () => {
      const png = { kind: 'image', mediaType: 'image/png', data: 'AAAA' } as const
      const silent = ['', ' \n\t', [], [{ kind: 'text', text: '' } as const], [{ kind: 'text', text: '  ' } as const], [png]] as const
      const bodies = silent.map((output) => {
        const turns = [user('A'), assistant([asks('c1', 'one', '{}')], own), results(['c1', output, true])]
        return textWriter(format)(request(model, { turns }))
      })
      for (const body of bodies) expect(body).toContain('"It failed without a message.')
      expect(new Set(bodies.slice(0, -1)).size).toBe(1)
      const turns = [user('A'), assistant([asks('c1', 'one', '{}')], own), results(['c1', ''])]
      expect(textWriter(format)(request(model, { turns }))).not.toContain('failed')
    })

    test('ids and names are plain and at most 64 characters long, the same for call and result and in every request', () => {
      const ids = ['x'.repeat(65), 'x'.repeat(66), `${'x'.repeat(64)}`, 'a.b/c', 'a b/c', 'a_b_c', 'é', '-']
      const names = ['n'.repeat(65), 'n'.repeat(66), 'mcp.server:tool', 'mcp server:tool', '']
      const calls = ids.map((id, index) => asks(id, names[index % names.length] ?? '', '{}'))
      const turns = [user('A'), assistant(calls, own), results(...ids.map((id): [string, string] => [id, 'ok']))]
      const body = bodyOf(format, request(model, { turns }))
      const { calls: called, results: answered } = pairs(body)
      expect([answered, new Set(called).size]).toEqual([called, ids.length])
      for (const id of called) expect(id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
      const written = [...JSON.stringify(body).matchAll(/"name":"(n{8,}[^"]*|mcp[^"]*)"/g)].map(([, name]) => name)
      expect([written.every((name) => /^[a-zA-Z0-9_-]{1,64}$/.test(name ?? '')), written.length >= 6]).toEqual([true, true])
      const later = bodyOf(format, request(model, { turns: [...structuredClone(turns), user('B')] }))
      expect(pairs(later)).toEqual({ calls: called, results: answered })
    })

    test('arguments nested too deeply are sent empty', () => {
      const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
      const body = (args: string): string =>
        textWriter(format)(request(model, { turns: [user('A'), assistant([asks('c1', 'one', args)], own), results(['c1', 'no'])] }))
      expect([body(deep(129)), body(deep(8_000))]).toEqual([body('{}'), body('{}')])
      expect(body(deep(128))).not.toBe(body('{}'))
    })

    test('a missing result is added, a result without a call is dropped, and each call has exactly one, in call order', () => {
      const open = assistant([asks('c1', 'one', '{}'), asks('c2', 'two', '{}')], own)
      const histories: readonly (readonly Turn[])[] = [
        [user('A'), open],
        [user('A'), open, user('B')],
        [user('A'), open, results(['c2', 'b'])],
        [user('A'), open, results(['c1', 'a'], ['c1', 'again'], ['c9', 'whose']), user('B')],
        [user('A'), results(['c9', 'whose']), open, results(['c1', 'a'], ['c2', 'b'])],
      ]
      for (const turns of histories) {
        const { calls, results: given } = pairs(bodyOf(format, request(model, { turns })))
        expect([calls.length, given]).toEqual([2, calls])
      }
    })

    test('for any turns, calls and results are paired, and reasoning of another model is never sent', () => {
      fc.assert(
        fc.property(conversations(), (turns) => {
          const text = textWriter(format)(request(model, { turns }))
          const { calls, results: given } = pairs(JSON.parse(text) as Readonly<Record<string, unknown>>)
          return JSON.stringify(calls) === JSON.stringify(given) && !text.includes(SECRET)
        }),
        { numRuns: 200 },
      )
    })

    test('extending or shortening an earlier request gives the same bytes as writing it from scratch', () => {
      fc.assert(
        fc.property(conversations(), fc.array(fc.nat({ max: 14 }), { minLength: 2, maxLength: 8 }), (turns, lengths) => {
          const write = textWriter(format)
          return lengths.every((length) => {
            const asked = request(model, { turns: turns.slice(0, length) })
            return write(asked) === textWriter(format)(asked)
          })
        }),
        { numRuns: 200 },
      )
    })

    test('a conversation from another provider keeps its text, calls and results, and none of its signatures', () => {
      for (const provider of OTHERS.filter((id) => id !== format.provider)) {
        const call = { ...asks('toolu_1|a', 'read_file', '{"file_path":"a"}'), signature: 'FOREIGN' } as ContentPart
        const told = { kind: 'text', text: 'I look.', signature: 'FOREIGN' } as const
        const turns = [
          user('Go'),
          assistant([thought('FOREIGN', 'FOREIGN'), ...foreign, told, call], { provider, model: 'other' }),
          results(['toolu_1|a', 'seen']),
        ]
        const text = textWriter(format)(request(model, { turns }))
        expect(text).not.toContain('FOREIGN')
        for (const kept of ['I look.', 'read_file', 'seen']) expect(text).toContain(kept)
        const { calls, results: given } = pairs(JSON.parse(text) as Readonly<Record<string, unknown>>)
        expect([calls.length, given]).toEqual([1, calls])
      }
    })

    test('the same provider with another model gets no reasoning of the previous model', () => {
      const turns = [user('Go'), assistant([thought('FOREIGN', 'FOREIGN'), ...foreign, words('B')], { ...own, model: 'before' }), user('C')]
      expect(textWriter(format)(request(model, { turns }))).not.toContain('FOREIGN')
    })

    test('half a character becomes a replacement character', () => {
      const torn = 'a\uD83D'
      const turns = [user(torn), assistant([words(torn), asks('c1', 't', '{"x":"\\ud83d"}')], own), results(['c1', torn])]
      const body = textWriter(format)(request(model, { turns }))
      expect(body.isWellFormed() && !/\\+ud83d\\*"/i.test(body)).toBe(true)
    })

    test('an empty turn is left out', () => {
      const text = textWriter(format)(request(model, { turns: [user('A'), assistant([words(' ')], own), user(''), user('B')] }))
      expect(text).toBe(textWriter(format)(request(model, { turns: [user('A'), user('B')] })))
    })
  })
}

const SECRET = 'reasoning-of-another'

function conversations(): fc.Arbitrary<Turn[]> {
  const id = fc.constantFrom('c1', 'c2', 'c3')
  const part = fc.oneof(
    fc.string().map(words),
    fc.constant(thought(SECRET, SECRET)),
    fc.tuple(id, fc.constantFrom('a', 'b'), fc.oneof(fc.json(), fc.string())).map(([call, name, args]) => asks(call, name, args)),
  )
  const once = (parts: readonly ContentPart[]) =>
    parts.filter(
      (p, at) => p.kind !== 'tool_call' || parts.findIndex((q) => q.kind === 'tool_call' && q.toolCallId === p.toolCallId) === at,
    )
  const turn = fc.oneof(
    fc.string({ unit: 'binary' }).map(user),
    fc.string().map(steering),
    fc.array(part, { maxLength: 4 }).map((parts) => assistant(once(parts), { provider: 'rehearsal', model: 'other' })),
    fc.array(fc.tuple(id, fc.string(), fc.boolean()), { maxLength: 4 }).map((given) => results(...given)),
  )
  return fc.array(turn, { maxLength: 14 })
}
