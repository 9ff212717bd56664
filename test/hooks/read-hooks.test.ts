import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createLocalExecutionEnvironment } from '../../main/environment/local.ts'
import { isFor } from '../../main/hooks/matcher.ts'
import { findHooks, type FoundHooks } from '../../main/hooks/read-hooks.ts'
import { ToolCallId } from '../../shared/lib/ids.ts'
import { temporaryFolder } from '../agent/support/rig.ts'
import { hook } from './support/hook.ts'

const command = (text: string, more: object = {}): object => ({ type: 'command', command: text, ...more })
const settings = (event: string, matcher: string, ...hooks: readonly object[]): object => ({ hooks: { [event]: [{ matcher, hooks }] } })

/** Hooks of a home, a data folder and a project with these files. */
async function found(files: Readonly<Record<string, object | string>>): Promise<FoundHooks> {
  const base = await temporaryFolder('hooks')
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(base, path)), { recursive: true })
    await writeFile(join(base, path), typeof content === 'string' ? content : JSON.stringify(content))
  }
  const [project, home, dataFolder] = [join(base, 'project'), join(base, 'home'), join(base, 'data')]
  await mkdir(project, { recursive: true })
  return findHooks({ env: createLocalExecutionEnvironment(project), project, home, dataFolder })
}

describe('hooks of a person and a project', () => {
  test('all files are combined, and equal hooks count once', async () => {
    const { hooks, unused } = await found({
      'data/hooks.json': settings('Stop', '', command('one')),
      'home/.claude/settings.json': settings('PreToolUse', 'Bash', command('two', { timeout: 5 })),
      'project/.claude/settings.json': settings('PreToolUse', 'Bash', command('two', { timeout: 5 }), command('three')),
      'project/.claude/settings.local.json': settings('UserPromptSubmit', '', command('four')),
      'project/.countersign/hooks.json': settings('SessionEnd', '', command('five')),
    })
    expect(unused).toEqual([])
    expect(hooks.map(({ event, command: text, timeoutMs, source, from }) => [event, text, timeoutMs, source, from])).toEqual([
      ['Stop', 'one', 600_000, 'hooks.json in the data folder', 'person'],
      ['PreToolUse', 'two', 5_000, '~/.claude/settings.json', 'person'],
      ['SessionEnd', 'five', 1_500, '.countersign/hooks.json', 'project'],
      ['PreToolUse', 'three', 600_000, '.claude/settings.json', 'project'],
      ['UserPromptSubmit', 'four', 30_000, '.claude/settings.local.json', 'project'],
    ])
  })

  test('an invalid hook is named with its reason, and the rest runs', async () => {
    const { hooks, unused } = await found({
      'home/.claude/settings.json': '{ "hooks": ',
      'project/.claude/settings.json': {
        permissions: { allow: [] },
        hooks: {
          PreToolUse: [{ hooks: [{ type: 'prompt', prompt: 'x' }, command('good')] }],
          TeammateIdle: [{ hooks: [command('never')] }],
        },
      },
    })
    expect(hooks.map(({ command: text }) => text)).toEqual(['good'])
    expect(unused.map(({ source, why }) => `${source}: ${why}`)).toEqual([
      expect.stringMatching(/^~\/\.claude\/settings\.json: The file cannot be read: /u),
      '.claude/settings.json: A hook of PreToolUse is not a command: only hooks of type “command” run here.',
      '.claude/settings.json: There is no moment TeammateIdle here.',
    ])
  })

  test('disableAllHooks of the person disables all hooks, that of a project only its own', async () => {
    const files = { 'project/.claude/settings.json': settings('Stop', '', command('theirs')) }
    const mine = settings('Stop', '', command('mine'))
    const off = { disableAllHooks: true }
    const project = await found({ ...files, 'home/.claude/settings.json': mine, 'project/.claude/settings.local.json': off })
    expect(project.hooks.map(({ command: text }) => text)).toEqual(['mine'])
    expect((await found({ ...files, 'data/hooks.json': mine, 'home/.claude/settings.json': off })).hooks).toEqual([])
  })
})

describe('a matcher', () => {
  const before = (toolName: string) => ({ event: 'PreToolUse' as const, toolCallId: ToolCallId.parse('c1'), toolName, args: {} })

  test.each([
    ['', 'shell', true],
    ['*', 'read_file', true],
    ['Bash', 'shell', true],
    ['Bash', 'write_file', false],
    ['Edit|Write', 'write_file', true],
    ['Edit, Write', 'edit_file', true],
    ['Edit|Write', 'apply_patch', true],
    ['Edit', 'notebook_edit', false],
    ['.*Edit', 'notebook_edit', true],
    ['mcp__x__.*', 'mcp__x__search', true],
    ['mcp__x', 'mcp__x__search', false],
    ['write_file', 'write_file', true],
    ['(', 'shell', false],
  ])('%j for %s: %s', (matcher, toolName, expected) => {
    expect(isFor(hook('PreToolUse', 'true', matcher), before(toolName))).toBe(expected)
  })

  test('does not run a hook of another event', () => {
    expect(isFor(hook('PostToolUse', 'true'), before('shell'))).toBe(false)
  })

  test.each([
    ['startup', true],
    ['resume|clear', false],
    ['', true],
  ])('%j for the start of a session: %s', (matcher, expected) => {
    expect(isFor(hook('SessionStart', 'true', matcher), { event: 'SessionStart', source: 'startup' })).toBe(expected)
  })
})
