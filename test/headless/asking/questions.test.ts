import { describe, expect, test } from 'vitest'
import { call, calls, say } from '../../support/scripted-model.ts'
import { ofKind, runAgent } from '../support/agent-process.ts'
import { runOnTerminal } from '../support/agent-terminal.ts'
import { place } from '../support/model-place.ts'

const QUESTIONS = [
  { question: 'Which database?', options: [{ label: 'SQLite' }, { label: 'Postgres' }], default: ['SQLite'] },
  {
    question: 'Which parts?',
    options: [{ label: 'api' }, { label: 'docs' }, { label: 'cli' }],
    multiSelect: true,
    default: ['api', 'docs'],
  },
  { question: 'What is it called?', default: ['Ledger'] },
]
const asks = (questions: readonly object[] = QUESTIONS) => calls(call('ask_user_question', { questions }, 'q1'))

const resultIn = async (at: Awaited<ReturnType<typeof place>>, index: number): Promise<string> =>
  JSON.stringify((await at.model.request(index)).body.messages.at(-1))

describe('questions of the agent (R-47, R-52)', () => {
  test('without a terminal the defaults are used, and the model and the user are informed', async () => {
    const at = await place([asks(), say('Done.')])
    const { code, stderr, events } = await runAgent(['Store it'], at)
    expect(code).toBe(0)
    expect(stderr).toBe(
      'The agent asked a question. Nobody could answer, so its defaults were used. With --pause, the run waits for your answer.\n',
    )
    const result = await resultIn(at, 1)
    expect(result).toContain('Nobody was there to answer, so your defaults were used.')
    expect(result).toMatch(/Which database\?\\nSQLite.*Which parts\?\\napi, docs.*What is it called\?\\nLedger/u)
    expect(events.find((event) => event.kind === 'APPROVAL_ANSWERED')).toMatchObject({ answer: { reply: { byDefault: true } } })
  })

  test('if a question has no default, the model is asked to choose', async () => {
    const at = await place([asks([{ question: 'Why?' }]), say('Done.')])
    await runAgent(['Go'], at)
    expect(await resultIn(at, 1)).toContain('Why?\\n(No answer. Choose the most useful interpretation')
  })

  test('the user is asked even in full mode', async () => {
    const at = await place([asks(), say('Done.')])
    const { events } = await runAgent(['--pause', '--mode', 'full', 'Go'], at)
    expect(events.map(({ kind }) => kind)).toContain('APPROVAL_REQUESTED')
    expect(at.model.requests).toHaveLength(1)
  })

  test('--pause leaves them open, and --answer in another process accepts numbers, labels or free text', async () => {
    const at = await place([asks(), say('Done.')])
    const first = await runAgent(['--pause', 'Store it'], at)
    expect(first.code).toBe(3)
    const id = ofKind(first, 'APPROVAL_REQUESTED')[0]?.approvalId ?? ''
    const few = await runAgent(['--answer', id, '2'], at)
    expect([few.code, few.stderr.trimEnd().split('\n')]).toEqual([
      1,
      [
        'The number of answers (1) differs from the number of questions (3).',
        expect.stringContaining(`Request ${id} is still waiting for an answer.`),
        expect.stringContaining('The REQUEST_ID is right. Run the command again with a different answer.'),
      ],
    ])
    const second = await runAgent(['--answer', id, '2', 'docs, 3', 'Day book'], at)
    expect([second.code, second.stderr]).toEqual([0, ''])
    const result = await resultIn(at, 1)
    expect(result).toContain('The developer answered:')
    expect(result).toMatch(/Which database\?\\nPostgres.*Which parts\?\\ndocs, cli.*What is it called\?\\nDay book/u)
  })

  test('in a terminal each question is asked in turn, and Enter chooses the default', async () => {
    const at = await place([asks(), say('Done.')])
    const { code, screen } = await runOnTerminal(['Store it'], at, [
      { when: 'A number, or your own words (Enter: SQLite): ', type: '\r' },
      { when: 'Numbers with commas, or your own words (Enter: api, docs): ', type: '3\r' },
      { when: 'Your answer (Enter: Ledger): ', type: 'Day book\r' },
    ])
    expect(code).toBe(0)
    expect(screen).toContain('2  Postgres')
    expect(await resultIn(at, 1)).toMatch(/Which database\?\\nSQLite.*Which parts\?\\ncli.*What is it called\?\\nDay book/u)
  })
})
