import { expect, test } from 'vitest'
import { askPerson } from '../../../main/headless/asking/ask-person.ts'
import type { Effect } from '../../../shared/session/effects.ts'
import type { CallItem } from '../../../shared/session/state.ts'

const COMMAND = {
  kind: 'command',
  command: '',
  cwd: '/code',
  outside: false,
  env: {},
  timeoutMs: 1,
  destructive: false,
  sandbox: 'copy',
} as const
const AGENT = { id: 'codex', name: 'Codex', turns: [] }
const link = (shown: string): Effect => ({
  kind: 'link',
  path: `/code/${shown}`,
  shown,
  outside: false,
  control: false,
  before: null,
  after: 'x',
})

/** What a person is asked and answers who types these lines. `agent`: whether the work is that of a third-party agent. */
async function typing(agent: boolean, ...typed: readonly string[]) {
  const written: string[] = []
  const left = [...typed]
  const broughtFrom = { sessionId: 's_1', title: 'Fix', ...(agent && { agent: AGENT }) }
  const effects = [{ ...COMMAND, broughtFrom }, link('a.txt'), link('b c.txt')]
  const call = { effects, approval: { destructive: false } } as unknown as CallItem
  const reply = await askPerson(call, {
    lines: {
      write: (text) => void written.push(text),
      async ask(words) {
        written.push(words)
        const text = left.shift()
        return text === undefined ? { kind: 'closed' } : { kind: 'line', text }
      },
      close() {},
    },
    bytes: { get: () => new Uint8Array(), file: () => null },
    width: () => null,
    signal: new AbortController().signal,
  })
  return { reply, written: written.join('') }
}

test.each([
  ['later', ['l'], { kind: 'later' }],
  ['later for one file', ['l a.txt'], { kind: 'sign', amendments: [{ kind: 'leave', path: '/code/a.txt', later: true }] }],
  [
    'later for a file with a space in its name',
    ['later b c.txt'],
    { kind: 'sign', amendments: [{ kind: 'leave', path: '/code/b c.txt', later: true }] },
  ],
  ['no, after a name that the request does not have', ['l nothing.txt', 'n'], { kind: 'refuse', note: null }],
])('the work of an agent can be decided %s', async (_, typed, reply) => {
  const asked = await typing(true, ...typed)
  expect(asked.reply).toEqual(reply)
  expect(asked.written).toContain('l (later)')
  expect(asked.written.includes('This request changes no file nothing.txt.')).toBe(typed[0] === 'l nothing.txt')
})

test('other work must be decided now, so the same letter is a message to the agent', async () => {
  const asked = await typing(false, 'l')
  expect(asked.reply).toEqual({ kind: 'refuse', note: 'l' })
  expect(asked.written).not.toContain('later')
})
