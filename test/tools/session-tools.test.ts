import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { completePlan } from '../../shared/workflow/work-plan.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { answerCall, waiting } from '../agent/support/rig.ts'
import { heard, only, resultsOf, rigFor, write } from '../agent/support/scripted-rig.ts'
import { benchOfEachTest } from './bench-of-each-test.ts'
import { textOf } from './workbench.ts'

const bench = benchOfEachTest()

const TODOS = [
  { id: 'a', content: 'look', status: 'completed', priority: 'high' },
  { id: 'b', content: 'mend', status: 'in_progress', priority: 'medium' },
] as const

describe('todo_write and todo_read', () => {
  it('R-21, R-22: a list replaces the previous list and can be read back', async () => {
    expect((await bench.call('todo_read', {})).output).toBe('The list is empty.')
    expect(await bench.call('todo_write', { todos: TODOS })).toEqual({
      output: '[x] a: look (high)\n[>] b: mend (medium)',
      isError: false,
      details: { todos: TODOS },
    })
    expect((await bench.call('todo_read', {})).output).toBe('[x] a: look (high)\n[>] b: mend (medium)')
    await bench.call('todo_write', { todos: [] })
    expect((await bench.call('todo_read', {})).output).toBe('The list is empty.')
  })

  it('D-51: other agents’ lists without ids and priorities are accepted', async () => {
    const todos = [{ content: 'look', status: 'done', activeForm: 'Looking' }, { title: 'mend' }]
    expect((await bench.call('todo_write', { todos })).output).toBe('[x] 1: look (medium)\n[ ] 2: mend (medium)')
  })

  it.each([
    ['two entries with the same id', [TODOS[0], TODOS[0]], 'Two entries have the same id. The list was not changed.'],
    [
      'two entries in progress',
      [TODOS[1], { ...TODOS[1], id: 'c' }],
      '2 entries are in_progress; at most one may be. The list was not changed.',
    ],
  ])('%s are refused', async (_, todos, message) => {
    expect(await bench.call('todo_write', { todos })).toEqual({ output: message, isError: true, details: null })
    expect(bench.memory.session.todos()).toEqual([])
  })

  it('the list is in the log, the state and the replayed state, and needs no signature', async () => {
    const { provider, rig } = await rigFor([calls(call('todo_write', { todos: TODOS })), calls(call('todo_read', {})), say('Done.')])
    rig.session.submit('go')
    await rig.session.idle()
    expect(only(rig, 'TODOS_CHANGED')).toEqual([{ kind: 'TODOS_CHANGED', todos: TODOS }])
    expect([rig.session.record.state().todos, rig.replay().todos]).toEqual([TODOS, TODOS])
    expect(resultsOf(provider.requests[2])).toEqual([['ok', '[x] a: look (high)\n[>] b: mend (medium)']])
    expect(only(rig, 'APPROVAL_REQUESTED')).toEqual([])
  })
})

describe('read_output', () => {
  const lines = Array.from({ length: 3000 }, (_, index) => `line ${index + 1} ${'x'.repeat(20)}`)

  it('the warning in a truncated output says how to read the rest, and the suggested call works', async () => {
    const { provider, rig } = await rigFor([
      calls(call('read_file', { file_path: 'big.txt', limit: 3000 }, 'call_big')),
      calls(
        call('read_output', { call: 'call_big', offset: 1500, limit: 2 }),
        call('read_output', { call: 'call_big', pattern: 'line 2718 ' }),
      ),
      say('Done.'),
    ])
    await writeFile(join(rig.folder, 'big.txt'), `${lines.join('\n')}\n`)
    rig.session.submit('go')
    await rig.session.idle()
    const [result] = resultsOf(provider.requests[1])
    expect(result?.[1]).toContain(
      'The full output is available in the event stream. If you need to see specific parts, re-run the tool with more targeted parameters. Read any part of it with read_output and call "call_big".',
    )
    expect(resultsOf(provider.requests[2])).toEqual([
      ['ok', `  1500\t  1500\t${lines[1499]}\n  1501\t  1501\t${lines[1500]}\n(2 of 3000 lines are shown; continue with offset 1502.)`],
      ['ok', `  2718\t  2718\t${lines[2717]}`],
    ])
  })

  it('shows no more than fits, and says where to continue', async () => {
    bench.memory.ended('call_1', lines.join('\n'))
    const { output } = await bench.call('read_output', { call: 'call_1', limit: 2000 })
    expect(textOf(output).length).toBeLessThan(30_000)
    expect(output).toMatch(/\n\(\d+ of 3000 lines are shown; continue with offset \d+\.\)$/u)
  })

  it.each([
    [
      'an unknown call',
      { call: 'nothing' },
      'There is no finished call "nothing" in this session. Take the id from the truncation warning.',
    ],
    ['a line after the end', { call: 'call_1', offset: 9 }, 'offset 9 is beyond the end of the output, which has 2 lines.'],
    ['a pattern that is not in the output', { call: 'call_1', pattern: 'z' }, 'No line of the output contains "z".'],
  ])('%s is reported', async (_, args, message) => {
    bench.memory.ended('call_1', 'a\nb\n')
    expect(await bench.call('read_output', args)).toEqual({ output: message, isError: true, details: null })
  })
})

describe('exit_plan_mode', () => {
  it('R-28: in plan mode only exit_plan_mode can be signed, and signing it switches the session to ask mode', async () => {
    const { provider, rig } = await rigFor(
      [calls(write('a.txt', 'x')), calls(call('exit_plan_mode', { plan: 'Write a.txt.' })), calls(write('a.txt', 'x')), say('Done.')],
      { mode: 'plan' },
    )
    rig.session.submit('go')
    const [plan] = await waiting(rig.session)
    expect(resultsOf(provider.requests[1])).toEqual([['error', expect.stringContaining('Blocked in plan mode')]])
    expect(plan).toMatchObject({ toolName: 'exit_plan_mode', effects: [{ kind: 'mode', to: 'ask', plan: 'Write a.txt.' }] })
    expect(rig.session.record.state().config.mode).toBe('plan')
    answerCall(rig.session, plan)
    const edit = await rig.session.record.until(() => {
      const item = rig.session.state().items.at(-1)
      return item?.kind === 'call' && item.toolCallId !== plan?.toolCallId && item.status === 'waiting' ? item : null
    }, new AbortController().signal)
    expect([edit.toolName, rig.session.record.state().config.mode]).toEqual(['write_file', 'ask'])
    answerCall(rig.session, edit)
    await rig.session.idle()
    expect(await readFile(join(rig.folder, 'a.txt'), 'utf8')).toBe('x')
  })

  it.each([true, false])(
    'in full mode, a signed plan can require approval for files that it does not list (%s); otherwise such files are marked as deviations',
    async (asksOutside) => {
      const given = { title: 'One', steps: [{ title: 'Write', files: ['a.txt'] }] }
      const { rig } = await rigFor([calls(call('exit_plan_mode', given)), calls(write('b.txt', 'x')), say('Done.')], { mode: 'full' })
      rig.session.configure({ course: 'plan' })
      rig.session.submit('go')
      const [plan] = await waiting(rig.session)
      if (!plan?.approval) throw new Error('Nothing waits.')
      const { approvalId, hash } = plan.approval
      const reply = { kind: 'plan', plan: completePlan(given), condition: null, asksOutside } as const
      rig.session.answer({ approvalId, hash, answer: { kind: 'sign', reply }, from: 'terminal' })
      await heard(rig.session, asksOutside ? 'APPROVAL_REQUESTED' : 'PROCESSING_END')
      expect(only(rig, 'APPROVAL_REQUESTED').map(({ toolName }) => toolName)).toEqual([
        'exit_plan_mode',
        ...(asksOutside ? ['write_file'] : []),
      ])
      if (!asksOutside) expect(rig.session.state().workflow?.deviations).toMatchObject([{ words: 'b.txt' }])
    },
  )

  it('is refused in full mode', async () => {
    expect(await bench.call('exit_plan_mode', {})).toMatchObject({
      isError: true,
      output: 'The approval mode is full, not plan. Continue with the work.',
    })
  })
})

describe('D-51: tools called by other names', () => {
  it('a call by another name is logged under our name, but the model gets the result under the name it used', async () => {
    const { provider, rig } = await rigFor([calls(call('Read', { path: 'a.txt' })), say('Done.')])
    await writeFile(join(rig.folder, 'a.txt'), 'one\n')
    rig.session.submit('go')
    await rig.session.idle()
    expect(only(rig, 'TOOL_CALL_START').map(({ toolName, args }) => [toolName, args])).toEqual([['read_file', { file_path: 'a.txt' }]])
    const results = provider.requests[1]?.turns.at(-1)
    expect(results?.kind === 'tool_results' && results.results.map(({ toolName, output }) => [toolName, output])).toEqual([
      ['Read', '     1\tone'],
    ])
  })
})
