import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { requestOf, turnEnd } from '../../main/agent/session-commands.ts'
import { SessionId } from '../../shared/lib/ids.ts'
import type { Answering, DurableEvent } from '../../shared/session/events.ts'
import { emptySession, foldAll } from '../../shared/session/fold/fold.ts'
import type { SessionState } from '../../shared/session/state.ts'
import { call, message, say, text, thinking } from '../support/scripted-model.ts'
import { stamped } from '../agent/support/events.ts'
import { KEY, openDesk, type ServedDesk, staying } from './support/served-desk.ts'

/** Sends a message and resolves with the session when its turn has ended. */
async function turn(desk: ServedDesk, sessionId: SessionId, words: string): Promise<SessionState> {
  await desk.client.sessions.send({ sessionId, inputId: words, text: words, delivery: 'queue' })
  let state: SessionState = emptySession(sessionId)
  for await (const item of desk.client.sessions.open({ sessionId, cursor: null }, staying())) {
    if (item.kind === 'snapshot') state = item.state
    if (item.kind === 'events') state = foldAll(state, item.envelopes)
    if (state.run === 'IDLE' && state.ended !== null) return state
  }
  throw new Error('The window ended before the turn.')
}

it('model, effort and provider can change during a session, and reasoning is sent back only to the model that produced it', async () => {
  const desk = await openDesk(({ index }) => {
    const first = message([thinking('Secret thought.', 'sig-1'), text('I look.'), call('read_file', { file_path: 'a.txt' }, 'toolu_1')])
    return index === 0 ? first : say(`Answer ${index}.`)
  })
  writeFileSync(join(desk.folder, 'a.txt'), 'text\n')
  const sessionId = await desk.session()
  const { configure } = desk.client.sessions
  await desk.client.settings.change({ baseUrl: { provider: 'openai', url: desk.model.url } })
  await desk.client.settings.setKey({ provider: 'openai', key: KEY })

  await turn(desk, sessionId, 'one')
  await configure({ sessionId, effort: 'high' })
  await turn(desk, sessionId, 'two')
  await configure({ sessionId, model: 'claude-sonnet-4-6' })
  await turn(desk, sessionId, 'three')
  expect(await configure({ sessionId, provider: 'openai' })).toEqual({ ok: true })
  const { config, items } = await turn(desk, sessionId, 'four')

  const { requests } = desk.model
  const bodies = requests.map(({ json }) => JSON.stringify(json))
  expect(requests.map(({ format, json }) => [format, json['model']])).toEqual([
    ['anthropic', 'claude-haiku-4-5'],
    ['anthropic', 'claude-haiku-4-5'],
    ['anthropic', 'claude-haiku-4-5'],
    ['anthropic', 'claude-sonnet-4-6'],
    ['openai-responses', config.model],
  ])
  expect(bodies.map((body) => body.includes('sig-1'))).toEqual([false, true, true, false, false])
  expect(bodies.map((body) => body.includes('Secret thought.'))).toEqual([false, true, true, false, false])
  // The new provider receives everything that was said and done before.
  for (const words of ['one', 'I look.', 'toolu_1', 'text', 'Answer 1.', 'three', 'four']) expect(bodies.at(-1)).toContain(words)
  expect(items.flatMap((item) => (item.kind === 'notice' ? [item.trouble.what] : []))).toEqual([
    'Changed effort default → high.',
    'Changed model claude-haiku-4-5 → claude-sonnet-4-6.',
    `Changed provider anthropic → openai, model claude-sonnet-4-6 → ${config.model}.`,
  ])
  expect(desk.bugs).toEqual([])
})

it('switching the provider also switches to its own model and address', async () => {
  const desk = await openDesk()
  const sessionId = await desk.session()
  const { configure } = desk.client.sessions
  const config = async () => {
    for await (const item of desk.client.sessions.open({ sessionId, cursor: null }, staying()))
      if (item.kind === 'snapshot') return item.state.config
    return null
  }
  await configure({ sessionId, baseUrl: 'https://proxy.example/' })
  expect(await config()).toMatchObject({ provider: 'anthropic', model: 'claude-haiku-4-5', baseUrl: 'https://proxy.example' })
  expect(await configure({ sessionId, baseUrl: 'http://proxy.example' })).toMatchObject({ ok: false, trouble: { code: 'base_url' } })
  await configure({ sessionId, provider: 'gemini' })
  expect(await config()).toMatchObject({ provider: 'gemini', model: expect.stringMatching(/^gemini/), baseUrl: null })
  await configure({ sessionId, provider: 'openai-compatible', model: 'qwen', baseUrl: 'http://localhost:8080' })
  expect(await config()).toMatchObject({ provider: 'openai-compatible', model: 'qwen', baseUrl: 'http://localhost:8080/v1' })
})

it('a slash command sets the model and effort only for its own turn', async () => {
  const desk = await openDesk(({ index }) => say(`Answer ${index}.`))
  const write = (name: string, text: string): void => writeFileSync(join(desk.data, 'commands', `${name}.md`), text)
  mkdirSync(join(desk.data, 'commands'))
  write('deep', '---\nmodel: opus\neffort: high\n---\nThink.')
  write('odd', '---\nmodel: gpt-99\n---\nThink.')
  const sessionId = await desk.session()
  const after = await turn(desk, sessionId, '/deep')
  expect(after).toMatchObject({ config: { model: 'claude-haiku-4-5', effort: null } })
  expect(after.afterTurn).toBeUndefined()
  const odd = await turn(desk, sessionId, '/odd')
  const models = desk.model.requests.map(({ body }) => body.model)
  expect(models).toEqual([expect.stringMatching(/^claude-opus-/u), 'claude-haiku-4-5'])
  const told = odd.items.flatMap((item) => (item.kind === 'notice' ? [item.trouble.what] : []))
  expect(told).toEqual([
    expect.stringMatching(/^Changed for this turn by \/deep: model claude-haiku-4-5 → claude-opus-\S+, effort default → high\.$/u),
    expect.stringMatching(/^Changed model claude-opus-\S+ → claude-haiku-4-5, effort high → default\.$/u),
    expect.stringContaining('/odd asks for the model gpt-99, which the provider of this session does not have.'),
  ])
})

it('a model that the user chooses during a slash command’s turn remains after the turn, and an interruption does not restore the previous model', () => {
  const base = { provider: 'anthropic', model: 'haiku', mode: 'ask', effort: null, baseUrl: null } as const
  const back = { provider: 'anthropic', model: 'haiku', effort: null } as const
  const state = (config: SessionState['config'], afterTurn?: Answering): SessionState => ({
    ...emptySession(SessionId.parse('s1')),
    config,
    ...(afterTurn && { afterTurn }),
  })
  const opus = { ...base, model: 'opus' }
  expect(turnEnd(state(opus, back), 'interrupted')).toEqual([{ kind: 'PROCESSING_END', reason: 'interrupted' }])
  expect(turnEnd(state(opus, back), 'completed')[1]).toMatchObject({ kind: 'SESSION_CONFIGURED', model: 'haiku' })
  const forTurn = { command: 'deep', model: 'opus' }
  const [begins, message] = requestOf(state(base), { inputId: 'i', text: 'Think.', forTurn }, 'prompt')
  expect([begins, message]).toMatchObject([
    { model: 'opus', forTurn: { command: 'deep', back } },
    { kind: 'USER_INPUT', forTurn },
  ])
  const events = [begins, { kind: 'SESSION_CONFIGURED', ...base, model: 'sonnet' }] as readonly DurableEvent[]
  const folded = foldAll(state(base), stamped(events))
  expect([folded.config.model, turnEnd(folded, 'completed').length]).toEqual(['sonnet', 1])
})
