import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ApprovalAnswer } from '../../shared/session/events.ts'
import { pendingCalls } from '../../shared/session/fold/run-state.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { type Family, openFamily } from '../subagents/support/family.ts'

const NOTE = '- The tests run with npm test.\n'
const FILE = '.countersign/memory.md'
const note = calls(call('write_file', { file_path: FILE, content: NOTE }))
const systemOf = (body: unknown): string => JSON.stringify((body as { readonly system: unknown }).system)

/** Asks the agent to remember something, and signs or refuses the request that follows. */
async function asked({ parent }: Family, kind: 'sign' | 'refuse'): Promise<ApprovalAnswer | null> {
  const running = parent.running()
  running?.submit('/remember how the tests run')
  const state = await parent.record.until(
    () => (parent.record.state().run === 'AWAITING_INPUT' ? parent.record.state() : null),
    AbortSignal.timeout(60_000),
  )
  const [waiting] = pendingCalls(state)
  if (!waiting?.approval) throw new Error('Nothing waits.')
  const { approvalId, hash } = waiting.approval
  await parent.answer({ approvalId, hash, answer: kind === 'sign' ? { kind: 'sign' } : { kind: 'refuse', note: null }, from: 'flag' })
  await running?.idle()
  return parent.record.call(waiting.toolCallId)?.approval?.answer ?? null
}

test.each(['ask', 'accept-edits', 'auto', 'full'] as const)(
  'mode %s: nothing is written to the memory file without a signature (R-45)',
  async (mode) => {
    const family = await openFamily(({ round }) => (round === 0 ? note : say('Then not.')), { mode })
    await asked(family, 'refuse')
    expect(existsSync(join(family.folder, FILE))).toBe(false)
  },
)

test('signed notes are first in the prompt of the next session', async () => {
  const family = await openFamily(({ round }) => (round === 0 ? note : say('Noted.')), { mode: 'ask' })
  await asked(family, 'sign')
  expect(readFileSync(join(family.folder, FILE), 'utf8')).toBe(NOTE)
  const [first, second] = family.model.requests.map(({ body }) => systemOf(body))
  expect([first, first?.includes('It is empty so far.')]).toEqual([second, true])
  const { config } = family.parent.record.state()
  const next = await family.app.starter.start(family.folder, config)
  if (!next.ok) throw new Error(next.failure.what)
  next.value.running()?.submit('And now?')
  await next.value.running()?.idle()
  expect(systemOf(family.model.requests.at(-1)?.body)).toContain('<memory>\\n- The tests run with npm test.\\n</memory>')
})

test('a compaction keeps this session’s notes word for word, but does not repeat notes that are in the prompt (R-06)', async () => {
  const full = { usage: { input: 190_000, output: 0 } }
  const family = await openFamily(
    ({ round, newest }) =>
      round === 0 ? { ...note, ...full } : newest.includes('Write a summary') ? { ...say('A summary.'), ...full } : say('Going on.'),
    { mode: 'ask' },
  )
  await asked(family, 'sign')
  const compacted = [...family.parent.record.read()].flatMap(({ event }) => (event.kind === 'COMPACTED' ? [event.text] : []))
  expect(compacted.map((text) => text.includes(`<memory>\n${NOTE.trim()}\n</memory>`))).toEqual([true])
  const known = await openFamily(
    ({ round, newest }) =>
      round === 0
        ? { ...calls(call('glob', { pattern: '*' })), ...full }
        : newest.includes('Write a summary')
          ? { ...say('S.'), ...full }
          : say('On.'),
    {
      prepare: ({ folder }) => {
        mkdirSync(join(folder, '.countersign'))
        writeFileSync(join(folder, FILE), NOTE)
      },
    },
  )
  await known.ask()
  const texts = [...known.parent.record.read()].flatMap(({ event }) => (event.kind === 'COMPACTED' ? [event.text] : []))
  expect(texts.map((text) => text.includes('<memory>'))).toEqual([false])
})

const NOTES = 'A summary.\n<remember>\n- Tests run with npm test.\n- Dates have no time zone.\n</remember>'
/** The calls with which a model saves the notes that the compaction has proposed to it. */
const edits = calls(
  call('save_memory', { fact: 'Tests run with npm test.' }, 'n1'),
  call('save_memory', { fact: 'Dates have no time zone.' }, 'n2'),
)

/** Opens a session whose second request compacts the conversation. */
const compacting = (options: { readonly watched?: boolean; readonly mode: 'ask' | 'plan' }): Promise<Family> => {
  let answers = 0
  return openFamily(({ round, newest }) => {
    if (newest.includes('Write a summary')) return { ...say(NOTES), usage: { input: 190_000, output: 0 } }
    if (round === 0) return { ...calls(call('glob', { pattern: '*' })), usage: { input: 190_000, output: 0 } }
    return options.watched && answers++ === 0 ? edits : say('Going on.')
  }, options)
}

test('a compaction proposes notes for the memory, and each is signed or dropped (R-45)', async () => {
  const family = await compacting({ watched: true, mode: 'ask' })
  const running = family.parent.running()
  running?.submit('Work')
  const answers = new Map([
    ['Tests run with npm test.', 'sign'],
    ['Dates have no time zone.', 'refuse'],
  ] as const)
  for (let answered = 0; answered < answers.size; answered++) {
    const request = await family.parent.record.until(() => {
      const state = family.parent.record.state()
      return pendingCalls(state).find(({ approval }) => approval && !approval.answer) ?? null
    }, AbortSignal.timeout(60_000))
    const { approvalId, hash } = request.approval ?? {}
    if (!approvalId || !hash) throw new Error('Nothing waits.')
    const fact = [...answers.keys()].find((text) => JSON.stringify(request.args).includes(text))
    const answer = fact && answers.get(fact) === 'sign' ? ({ kind: 'sign' } as const) : ({ kind: 'refuse', note: null } as const)
    await family.parent.answer({ approvalId, hash, answer, from: 'flag' })
  }
  await running?.idle()
  expect(readFileSync(join(family.folder, FILE), 'utf8')).toBe('- Tests run with npm test.\n')
  const texts = [...family.parent.record.read()].flatMap(({ event }) => (event.kind === 'COMPACTED' ? [event.text] : []))
  expect(texts[0]).toMatch(/First propose these notes .*- Dates have no time zone\.$/su)
  expect(JSON.stringify(family.model.requests.at(-1)?.body)).toContain('First propose these notes')
  expect(texts[0]).not.toContain('<remember>')
})

test.each([
  ['nobody can sign', { watched: false, mode: 'ask' }],
  ['the mode is plan', { watched: true, mode: 'plan' }],
] as const)('a compaction asks for no notes if %s', async (_, options) => {
  const family = await compacting(options)
  await family.ask()
  const asked = family.model.requests.map(({ body }) => JSON.stringify(body)).filter((body) => body.includes('Write a summary'))
  expect(asked.map((body) => body.includes('<remember>'))).toEqual([false])
  expect(existsSync(join(family.folder, FILE))).toBe(false)
})
