import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { call, calls, say } from '../support/scripted-model.ts'
import { ofKind, runAgent } from './support/agent-process.ts'
import { asked, place } from './support/model-place.ts'

const PLAN = '# Two files\n\nBecause of tests.\n\n1. Write `a.txt`\n2. Write b\n   Files: `b.txt`\n\n## Condition\n\nNo c.\n'
const write = (path: string) => call('write_file', { file_path: path, content: 'x\n' })
const todos = (...states: readonly string[]) =>
  call('todo_write', {
    todos: ['Write `a.txt`', 'Write b'].map((content, at) => ({
      id: String(at + 1),
      content,
      status: states[at] ?? 'pending',
      priority: 'medium',
    })),
  })

describe('a plan given by the user', () => {
  test('applies from the start: calls outside it are refused, even in full mode', async () => {
    const at = await place([calls(write('a.txt')), calls(todos('completed', 'in_progress'), write('b.txt'), write('c.txt')), say('Done.')])
    await writeFile(join(at.cwd, 'plan.md'), PLAN)
    const run = await runAgent(['plan', join(at.cwd, 'plan.md'), '--mode', 'full'], at)
    expect(run.code).toBe(0)
    expect(['a.txt', 'b.txt', 'c.txt'].map((file) => existsSync(join(at.cwd, file)))).toEqual([true, true, false])
    expect(ofKind(run, 'APPROVAL_REQUESTED').map(({ reason }) => reason)).toEqual(['The plan does not include c.txt.'])
    expect(await asked(at.model, 0)).toMatch(
      /Carry out the plan “Two files”\..*I agreed to this plan.*2\. Write b.*## Condition\\n\\nNo c\./u,
    )
    const session = ofKind(run, 'SESSION_START')[0]?.sessionId ?? ''
    const state: unknown = JSON.parse((await runAgent(['state', session, '--json'], at)).stdout)
    expect(state).toMatchObject({
      condition: 'No c.',
      progress: { done: 2, of: 2 },
      approval_mode: 'full',
      stage: 'completed',
      plan: { steps: [{ title: 'Write `a.txt`' }, { title: 'Write b' }] },
    })
  })

  test('keeps asking about steps outside it, even if a hook allows every request', async () => {
    const at = await place([calls(write('a.txt')), calls(write('c.txt')), say('Done.')])
    await writeFile(join(at.cwd, 'plan.md'), PLAN)
    const decision = JSON.stringify({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } } })
    const hooks = { PermissionRequest: [{ hooks: [{ type: 'command', command: `echo '${decision}'` }] }] }
    await mkdir(at.data, { recursive: true })
    await writeFile(join(at.data, 'hooks.json'), JSON.stringify({ hooks }))
    const run = await runAgent(['plan', join(at.cwd, 'plan.md'), '--mode', 'ask'], at)
    expect(['a.txt', 'c.txt'].map((file) => existsSync(join(at.cwd, file)))).toEqual([true, false])
    expect(ofKind(run, 'APPROVAL_REQUESTED').map(({ reason }) => reason)).toEqual([
      expect.stringContaining('The plan does not include c.txt.'),
    ])
  })

  test('works with a task, with a workflow, and in a stored session', async () => {
    const at = await place([say('Hello.'), calls(write('a.txt')), calls(write('a.test.txt')), say('Done.')])
    const first = await runAgent(['--mode', 'full', 'Hello'], at)
    await writeFile(join(at.cwd, 'plan.md'), '1. Write `a.txt`\n\n## Tests\n\n- `a.test.txt`: a\n')
    const run = await runAgent(
      [
        '--resume',
        ofKind(first, 'SESSION_START')[0]?.sessionId ?? '',
        '--course',
        'test-first',
        '--plan',
        join(at.cwd, 'plan.md'),
        'Be quick',
      ],
      at,
    )
    expect(run.code).toBe(0)
    expect(await asked(at.model, 1)).toMatch(/Be quick.*The course is test first/u)
    expect(await asked(at.model, 2)).toContain('Test first: write the tests and see them fail before changing a.txt.')
    expect(['a.txt', 'a.test.txt'].map((file) => existsSync(join(at.cwd, file)))).toEqual([false, true])
  })

  test('can be a previously signed plan from the folder of plans', async () => {
    const propose = call('exit_plan_mode', { title: 'One', steps: [{ title: 'Write', files: ['a.txt'], commands: ['make'] }] })
    const at = await place([calls(propose), say('Planned.'), calls(write('b.txt')), say('Done.')])
    const first = await runAgent(['--course', 'plan', '--pause', '--mode', 'full', 'Make'], at)
    await runAgent(['--answer', ofKind(first, 'APPROVAL_REQUESTED')[0]?.approvalId ?? '', 'sign'], at)
    const [file = ''] = await readdir(join(at.data, 'plans'))
    const kept = join(at.data, 'plans', file)
    const run = await runAgent(['--plan', kept, '--mode', 'full'], at)
    expect(ofKind(run, 'USER_INPUT')[0]?.text).toContain((await readFile(kept, 'utf8')).trim())
    expect(ofKind(run, 'USER_INPUT')[0]?.plan?.plan.steps).toMatchObject([{ title: 'Write', files: ['a.txt'], commands: ['make'] }])
    expect(existsSync(join(at.cwd, 'b.txt'))).toBe(false)
  })

  test.each([
    [['--plan', 'none.md'], /--plan .*none\.md: the file could not be read/u],
    [['plan', 'empty.md', 'Go'], /it has no steps/u],
    [['--plan', 'plan.md', '--mode', 'plan'], /--mode plan changes nothing/u],
    [['--plan', 'plan.md', '--answer', 'x', 'sign'], /A plan needs a session of its own/u],
  ])('%j is refused', async (args, words) => {
    const at = await place([])
    await writeFile(join(at.cwd, 'plan.md'), PLAN)
    await writeFile(join(at.cwd, 'empty.md'), '# Only a title\n')
    const named = args.map((word) => (word.endsWith('.md') ? join(at.cwd, word) : word))
    const { code, stderr } = await runAgent(named, at)
    expect([code, words.test(stderr)], stderr).toEqual([2, true])
    expect(at.model.requests.length).toBe(0)
  })
})
