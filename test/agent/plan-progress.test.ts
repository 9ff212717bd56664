import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { completePlan } from '../../shared/workflow/work-plan.ts'
import { progressOf, type Workflow } from '../../shared/workflow/workflow.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { answerCall, type Rig, waiting } from './support/rig.ts'
import { only, rigFor, said, type Scripted, shell, write } from './support/scripted-rig.ts'
import type { ProviderScript } from './support/scripted-provider.ts'

/** The example plan of the workflow in the requirements, with a command that checks a step. */
const PLAN = completePlan({
  title: 'JWT authentication',
  commands: ['echo'],
  steps: [
    { title: 'Create auth/jwt.py', files: ['auth/jwt.py'] },
    { title: 'Modify api/routes.py', files: ['api/routes.py'] },
    { title: 'Update requirements.txt', files: ['requirements.txt'], commands: ['test -s requirements.txt'] },
    { title: 'Create tests/test_auth.py', files: ['tests/test_auth.py'] },
  ],
})
const todos = (...states: readonly string[]) =>
  call('todo_write', {
    todos: PLAN.steps.map(({ title }, at) => ({ id: String(at + 1), content: title, status: states[at] ?? 'pending', priority: 'medium' })),
  })

async function planned(script: ProviderScript, course: 'plan' | 'review' = 'plan'): Promise<Scripted> {
  const scripted = await rigFor(script, { mode: 'full' })
  const { rig } = scripted
  await mkdir(join(rig.folder, 'api'))
  await writeFile(join(rig.folder, 'api/routes.py'), 'routes = []\n')
  await writeFile(join(rig.folder, 'requirements.txt'), 'flask\n')
  rig.session.configure({ course })
  rig.session.submit({ text: 'Add JWT authentication to the API', plan: { plan: PLAN, condition: null } })
  return scripted
}

const workflowOf = ({ session }: Rig): Workflow => {
  const { workflow } = session.state()
  if (!workflow) throw new Error('There is no workflow.')
  return workflow
}
const states = (rig: Rig) => workflowOf(rig).steps.map(({ state }) => state)
const marked = (rig: Rig) => rig.session.state().todos.map(({ status }) => status)

test('the steps of a signed plan are done when their files are changed and their commands have ended with exit 0, without todo_write', async () => {
  const { rig } = await planned([
    calls(write('auth/jwt.py', 'def token(): ...\n')),
    calls(shell('echo "auth = 1" >> api/routes.py')),
    calls(shell('echo "pyjwt==2.8.0" >> requirements.txt'), shell('test -s requirements.txt')),
    calls(write('tests/test_auth.py', 'def test(): ...\n')),
    say('Done.'),
  ])
  await rig.session.idle()
  expect(workflowOf(rig)).toMatchObject({ stage: 'done', steps: PLAN.steps.map(({ id }) => ({ id, state: 'done' })) })
  expect(progressOf(workflowOf(rig))).toEqual({ done: 4, of: 4 })
  expect(marked(rig)).toEqual(['completed', 'completed', 'completed', 'completed'])
})

test.each([
  ['its command fails', [shell('test -s requirements.txt extra')], ['pending', 'pending', 'running', 'pending']],
  ['its command has not run', [shell('echo pyjwt >> requirements.txt')], ['pending', 'pending', 'running', 'pending']],
  ['its file is only read', [call('read_file', { file_path: 'api/routes.py' })], ['pending', 'pending', 'pending', 'pending']],
  [
    'its file cannot be written',
    [call('edit_file', { file_path: 'auth/jwt.py', old_string: 'a', new_string: 'b' })],
    ['pending', 'pending', 'pending', 'pending'],
  ],
] as const)('a step is not done if %s', async (_, made, expected) => {
  const { rig } = await planned([calls(...made), say('Done.')])
  await rig.session.idle()
  expect(states(rig)).toEqual(expected)
})

test('a step that the agent has marked as in progress is done when the agent says so, or at the end of its turn', async () => {
  const { rig } = await planned([
    calls(todos('in_progress')),
    calls(write('auth/jwt.py', 'def token(): ...\n')),
    calls(call('todo_read', {})),
    say('Done.'),
  ])
  await rig.session.idle()
  expect(only(rig, 'TOOL_CALL_END').at(-1)?.output).toContain('[>] 1: Create auth/jwt.py')
  expect(states(rig)).toEqual(['done', 'pending', 'pending', 'pending'])
  expect(marked(rig)).toEqual(['completed', 'pending', 'pending', 'pending'])
})

test('an entry that the agent leaves as pending does not reopen a step whose work is done', async () => {
  const { rig } = await planned([
    calls(write('auth/jwt.py', 'def token(): ...\n')),
    calls(todos('pending', 'in_progress')),
    calls(call('todo_read', {})),
    say('Done.'),
  ])
  await rig.session.idle()
  expect(states(rig)).toEqual(['done', 'running', 'pending', 'pending'])
  expect(only(rig, 'TOOL_CALL_END').at(-1)?.output).toContain('[x] 1: Create auth/jwt.py')
})

test('in staged review, an agent that stops without marking a step is asked to, and the user reviews its changes', async () => {
  const scripted = await planned(
    [calls(write('auth/jwt.py', 'def token(): ...\n')), say('Done.'), calls(todos('completed')), say('The first step is done.')],
    'review',
  )
  const { rig } = scripted
  const [review] = await waiting(rig.session)
  expect(review?.effects).toEqual([{ kind: 'review', steps: [{ id: '1', title: 'Create auth/jwt.py' }], calls: [1] }])
  expect(states(rig)).toEqual(['running', 'pending', 'pending', 'pending'])
  expect(said(scripted, 2)?.at(-1)).toEqual(['steering', expect.stringContaining('has not reviewed the changes of “Create auth/jwt.py”')])
  answerCall(rig.session, review)
  await rig.session.idle()
  expect(states(rig)).toEqual(['done', 'pending', 'pending', 'pending'])
})

test('in staged review, a plan stays open until the agent presents each step, and the user is told so', async () => {
  const { rig, provider } = await planned([calls(write('auth/jwt.py', 'def token(): ...\n')), say('Done.'), say('Done.')], 'review')
  await rig.session.idle()
  expect(provider.requests).toHaveLength(3)
  expect(only(rig, 'WARNING').map(({ trouble }) => trouble.code)).toEqual(['not_reviewed'])
  expect(workflowOf(rig)).toMatchObject({ stage: 'executing', steps: [{ state: 'running' }, {}, {}, {}] })
})

test('in staged review, a command of a later step is denied before the review', async () => {
  const { rig } = await planned([calls(write('auth/jwt.py', 'x\n')), calls(shell('test -s requirements.txt')), say('Which one?')], 'review')
  await rig.session.idle()
  expect(only(rig, 'TOOL_CALL_END').map(({ outcome }) => outcome)).toEqual(['done', 'barred'])
})

test('a file or command that the user adds to the plan is no deviation, and later steps with it do not ask', async () => {
  const { rig } = await planned([
    calls(write('notes.md', 'one\n')),
    calls(write('notes.md', 'two\n')),
    calls(write('other.md', 'x\n')),
    say('Done.'),
  ])
  const [asked] = await waiting(rig.session)
  if (!asked?.approval) throw new Error('Nothing waits.')
  const { approvalId, hash } = asked.approval
  rig.session.answer({ approvalId, hash, answer: { kind: 'sign', reply: { kind: 'add_to_plan' } }, from: 'terminal' })
  const other = await rig.session.record.until(
    () => rig.session.state().items.find((item) => item.kind === 'call' && item.status === 'waiting' && item.id !== asked.id) ?? null,
    new AbortController().signal,
  )
  if (other.kind !== 'call') throw new Error('No call waits.')
  expect(other?.approval?.reason).toContain('other.md')
  answerCall(rig.session, other)
  await rig.session.idle()
  const folded = rig.replay().workflow
  expect(folded?.approved?.plan.files_to_modify).toEqual([{ path: 'notes.md', changes: 'Added to the plan at step 1.' }])
  expect(folded?.deviations).toEqual([{ call: 3, words: 'other.md', at: null }])
})
