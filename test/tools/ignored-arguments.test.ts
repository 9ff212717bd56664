import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { canonicalArguments } from '../../shared/tools/foreign-arguments/canonical-arguments.ts'
import { spawnAgentSpec } from '../../shared/tools/built-in/subagents.ts'
import { type Workbench, createWorkbench, textOf } from './workbench.ts'

let bench: Workbench
beforeEach(() => {
  bench = createWorkbench()
  writeFileSync(join(bench.root, 'a.txt'), 'one\n')
})
afterEach(() => bench.dispose())

const NOTE = 'There is no argument depth_first, so it had no effect. It takes '

describe('an argument that the tool does not have', () => {
  it.each([
    ['read_file', { file_path: 'a.txt' }],
    ['read_file', { file_path: 'missing.txt' }],
    ['grep', { pattern: 'one' }],
    ['shell', { command: 'true' }],
    ['write_file', { file_path: 'b.txt', content: 'b' }],
    ['apply_patch', { input: 'no patch' }],
    ['todo_write', { todos: [] }],
  ])('is named in the result of %s %j', async (name, args) => {
    expect(textOf((await bench.call(name, args)).output)).not.toContain('no argument')
    expect(textOf((await bench.call(name, { ...args, depth_first: true })).output)).toContain(NOTE)
  })

  it('is not named if it says nothing, or is only a remark', async () => {
    const { output } = await bench.call('read_file', { file_path: 'a.txt', depth_first: false, other: null, description: 'Read a file' })
    expect(output).toBe('     1\tone')
  })
})

describe('spawn_agent', () => {
  it.each([
    ['max_usd', 0.5, { max_cost_usd: 0.5 }],
    ['max_cost', 1, { max_cost_usd: 1 }],
    ['max_budget_usd', 1, { max_cost_usd: 1 }],
    ['max_steps', 3, { max_turns: 3 }],
    ['token_budget', 900, { max_tokens: 900 }],
    ['timeout_minutes', 2, { max_minutes: 2 }],
  ])('takes %s as its limit', (name, value, limit) => {
    expect(canonicalArguments(spawnAgentSpec, { task: 'Look', [name]: value })).toEqual({ task: 'Look', ...limit })
  })
})
