import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pendingCalls } from '../../shared/session/fold/run-state.ts'
import type { QuestionAnswer } from '../../shared/workflow/question.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { type Family, openFamily } from '../subagents/support/family.ts'

const TOOL = 'str_replace_based_edit_tool'
const QUESTIONS = [
  {
    question: 'Which database?',
    header: 'Database',
    multiSelect: false,
    options: [{ label: 'SQLite', description: 'one file' }, { label: 'Postgres' }],
  },
]

const ended = ({ parent }: Family) => [...parent.record.read()].flatMap(({ event }) => (event.kind === 'TOOL_CALL_END' ? [event] : []))
const results = ({ model }: Family, request: number) => JSON.stringify(model.requests[request]?.body.messages.at(-1))

test('another agent’s edit tool, with the commands view, create, str_replace and insert, is mapped to our tools', async () => {
  const family = await openFamily(({ round }) => {
    const edit = (args: Readonly<Record<string, unknown>>) => calls(call(TOOL, args))
    switch (round) {
      case 0:
        return edit({ command: 'create', path: 'a.txt', file_text: 'one\nthree\n' })
      case 1:
        return edit({ command: 'view', path: 'a.txt', view_range: [2, -1] })
      case 2:
        return edit({ command: 'str_replace', path: 'a.txt', old_str: 'three', new_str: 'four' })
      case 3:
        return edit({ command: 'insert', path: 'a.txt', insert_line: 1, insert_text: 'two\nthree' })
      case 4:
        return edit({ command: 'insert', path: 'a.txt', insert_line: 0, new_str: 'zero\n' })
      case 5:
        return calls(
          call(TOOL, { command: 'insert', path: 'a.txt', insert_line: 99, insert_text: 'x' }),
          call(TOOL, { command: 'undo_edit', path: 'a.txt' }),
        )
      default:
        return say('Done.')
    }
  })
  await family.ask()
  expect(readFileSync(join(family.folder, 'a.txt'), 'utf8')).toBe('zero\none\ntwo\nthree\nfour\n')
  expect(ended(family).map(({ toolName, outcome }) => [toolName, outcome])).toEqual([
    ['write_file', 'done'],
    ['read_file', 'done'],
    ['edit_file', 'done'],
    ['edit_file', 'done'],
    ['edit_file', 'done'],
    ['edit_file', 'failed'],
    [TOOL, 'failed'],
  ])
  expect(results(family, 2)).toContain(String.raw`2\tthree`)
  expect(results(family, 6)).toContain('insert_line is 99, but a.txt has 5 lines.')
  expect(results(family, 6)).toContain(`Unknown tool: ${TOOL}. Available tools: read_file, `)
})

test.each([
  ['a\r\nb', 2, 'c', 'a\r\nb\r\nc'],
  ['a\r\nb\r\n', 1, 'x\n', 'a\r\nx\r\nb\r\n'],
  ['', 0, 'x', 'x\n'],
])('lines inserted into %j after line %i get the line endings of their neighbors', async (before, line, text, after) => {
  const family = await openFamily(
    ({ round }) =>
      round === 0 ? calls(call(TOOL, { command: 'insert', path: 'a.txt', insert_line: line, insert_text: text })) : say('Done.'),
    {},
  )
  writeFileSync(join(family.folder, 'a.txt'), before)
  await family.ask()
  expect(readFileSync(join(family.folder, 'a.txt'), 'utf8')).toBe(after)
})

test.each(['AskUserQuestion', 'ask_user', 'request_user_input'])('%s asks the user and returns the answers', async (name) => {
  const family = await openFamily(
    ({ round }) =>
      round === 0 ? calls(call(name, { questions: QUESTIONS }), call('read_file', { file_path: 'a' })) : say('SQLite it is.'),
    { watched: true },
  )
  const done = family.ask()
  await answerQuestion(family, { chosen: ['SQLite'], text: 'In a file' })
  await done
  expect(family.model.requests).toHaveLength(2)
  expect(ended(family).find(({ toolName }) => toolName === 'ask_user_question')).toMatchObject({
    outcome: 'done',
    output: 'Which database?\n\n> SQLite. In a file',
    modelText: 'The developer answered:\n\nWhich database?\nSQLite. In a file',
    details: { questions: QUESTIONS, answers: [{ chosen: ['SQLite'], text: 'In a file' }] },
  })
})

test('a question in another agent’s format, with plain strings as options, is asked', async () => {
  const family = await openFamily(
    ({ round }) => (round === 0 ? calls(call('ask_followup_question', { question: 'Which?', follow_up: ['a', 'b'] })) : say('Fine.')),
    { watched: true },
  )
  const done = family.ask()
  await answerQuestion(family, { chosen: ['b'], text: '' })
  await done
  expect(ended(family)[0]).toMatchObject({ output: 'Which?\n\n> b' })
})

/** Waits for the question and answers it as a user at a terminal would. */
async function answerQuestion({ parent }: Family, answer: QuestionAnswer): Promise<void> {
  const approval = await parent.record.until(
    () => pendingCalls(parent.record.state()).find(({ toolName }) => toolName === 'ask_user_question')?.approval ?? null,
    new AbortController().signal,
  )
  const { approvalId, hash } = approval
  const outcome = await parent.answer({
    approvalId,
    hash,
    from: 'terminal',
    answer: { kind: 'sign', reply: { kind: 'answers', answers: [answer] } },
  })
  expect(outcome).toEqual({ kind: 'accepted' })
}

test('if nobody can answer, a question is refused with advice, and the turn continues', async () => {
  const family = await openFamily(({ round }) =>
    round === 0 ? calls(call('AskUserQuestion', { questions: QUESTIONS })) : say('I chose SQLite.'),
  )
  await family.ask()
  expect(ended(family)[0]).toMatchObject({ isError: true })
  expect(results(family, 1)).toContain('Nobody can answer questions in this session. Choose the most useful interpretation')
  expect(family.parent.record.state().turnEnd?.asks).toBe(false)
})

test('a question from a subagent, even a read-only one, is refused because nobody can answer it', async () => {
  const family = await openFamily(
    ({ who, round }) => {
      if (who === 'PARENT') return round === 0 ? calls(call('task', { agent_type: 'explore', prompt: 'CHILD-A' })) : say('Thanks.')
      return round === 0 ? calls(call('AskUserQuestion', { questions: QUESTIONS }), call('save_memory', { fact: 'x' })) : say('Found.')
    },
    { watched: true },
  )
  await family.ask()
  const child = await family.child()
  const told = [...child.record.read()].flatMap(({ event }) => (event.kind === 'TOOL_CALL_END' ? [event.modelText ?? event.output] : []))
  expect(told).toEqual([
    expect.stringMatching(/^Nobody can answer/u),
    expect.stringMatching(/^Unknown tool: save_memory\. Available tools: /u),
  ])
})

test('save_memory adds a memory line, which needs a signature even in full mode', async () => {
  const family = await openFamily(
    ({ round }) => (round === 0 ? calls(call('save_memory', { fact: 'Run the tests\nwith `npm test`.' })) : say('Done.')),
    { mode: 'full', watched: true },
  )
  const file = join(family.folder, '.countersign/memory.md')
  mkdirSync(join(family.folder, '.countersign'))
  writeFileSync(file, '- An older note.')
  const running = family.parent.running()
  if (!running) throw new Error('not running')
  running.submit('Remember how to test.')
  const asked = await running.record.until(
    () => running.state().items.find((item) => item.kind === 'call' && item.status === 'waiting') ?? null,
    new AbortController().signal,
  )
  if (asked.kind !== 'call' || !asked.approval) throw new Error('no request')
  expect(readFileSync(file, 'utf8')).toBe('- An older note.')
  running.answer({ approvalId: asked.approval.approvalId, hash: asked.approval.hash, answer: { kind: 'sign' }, from: 'terminal' })
  await running.idle()
  expect(readFileSync(file, 'utf8')).toBe('- An older note.\n- Run the tests with `npm test`.\n')
  expect(ended(family)[0]).toMatchObject({ toolName: 'save_memory', output: 'Added the note to .countersign/memory.md.' })
})
