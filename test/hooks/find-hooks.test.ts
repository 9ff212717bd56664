import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import { runsOf } from '../../main/hooks/hook-matcher.ts'
import { findHooks } from '../../main/hooks/find-hooks.ts'
import type { FoundHooks } from '../../main/hooks/hooks-of-settings.ts'
import type { JsonValue } from '../../shared/session/content.ts'
import type { Hook } from '../../shared/session/hooks.ts'
import { ToolCallId } from '../../shared/lib/ids.ts'
import { hook } from './support/hook.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const command = (text: string, more: object = {}): object => ({ type: 'command', command: text, ...more })
const settings = (event: string, matcher: string, ...hooks: readonly object[]): object => ({ hooks: { [event]: [{ matcher, hooks }] } })

/** Reads the hooks that these files configure in a home, a data folder and a project. */
async function found(files: Readonly<Record<string, object | string>>): Promise<FoundHooks> {
  const base = temporaryFolder('hooks')
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(base, path)), { recursive: true })
    await writeFile(join(base, path), typeof content === 'string' ? content : JSON.stringify(content))
  }
  const project = join(base, 'project')
  const home = join(base, 'home')
  const dataFolder = join(base, 'data')
  await mkdir(project, { recursive: true })
  return findHooks({ env: createLocalExecutionEnvironment(project), project, home, dataFolder })
}

describe('hooks of a user and a project', () => {
  test('all files are combined, and duplicate hooks count once', async () => {
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

  test('hooks with different headers or failure handling do not count as duplicates', async () => {
    const http = (a: string) => ({ type: 'http', url: 'https://a.org/hook', headers: { a } })
    const { hooks } = await found({
      'home/.claude/settings.json': settings('PreToolUse', '', command('one'), http('1')),
      'project/.claude/settings.json': settings('PreToolUse', '', command('one', { onFailure: 'block' }), http('2')),
    })
    expect(hooks.map(({ failureBlocks, http: sent }) => failureBlocks ?? sent?.headers?.['a'])).toEqual([undefined, '1', true, '2'])
  })

  test('an invalid hook is reported with the reason, and the other hooks run', async () => {
    const { hooks, unused } = await found({
      'home/.claude/settings.json': '{ "hooks": ',
      'project/.claude/settings.json': {
        permissions: { allow: [] },
        hooks: {
          PreToolUse: [{ hooks: [{ type: 'agent', prompt: 'x' }, { type: 'mcp_tool', server: 's', tool: 't' }, command('good')] }],
          SessionStart: [{ hooks: [{ type: 'prompt', prompt: 'x' }] }],
          TeammateIdle: [{ hooks: [command('never')] }],
        },
      },
    })
    expect(hooks.map(({ command: text }) => text)).toEqual(['good'])
    expect(unused.map(({ source, why }) => `${source}: ${why}`)).toEqual([
      expect.stringMatching(/^~\/\.claude\/settings\.json: The file cannot be read: /u),
      expect.stringContaining('A hook of PreToolUse has the type “agent”: a subagent that works without a signature is not started.'),
      expect.stringContaining('has the type “mcp_tool”: no tool of an MCP server is called without a signature.'),
      '.claude/settings.json: A hook of SessionStart has the type “prompt”: nothing depends on its answer, so no model is asked.',
      '.claude/settings.json: There is no hook event TeammateIdle here.',
    ])
  })

  test('Claude Code settings other than hooks are listed with our counterparts, and all except permission rules cause no warning in a session', async () => {
    const { unused } = await found({
      'home/.claude/settings.json': {
        $schema: 's',
        model: 'opus',
        statusLine: { type: 'command', command: 'line' },
        cleanupPeriodDays: 3,
        spinnerTipsEnabled: false,
        permissions: { defaultMode: 'acceptEdits', additionalDirectories: ['../docs'], deny: ['Read(./.env)'] },
      },
    })
    expect(unused.map(({ why, isQuiet = false }) => [why, isQuiet])).toEqual([
      ['its permissions (1 deny), until you import them on the settings page under Rules.', false],
      ['“model”: choose the model in the composer, or in Settings > New sessions.', true],
      ['“statusLine”: the desk shows the model, the context and the cost.', true],
      ['“permissions.defaultMode”: choose the mode in the composer, or in Settings > New sessions.', true],
      ['“permissions.additionalDirectories”: files outside the folder need a signature, unless a rule allows them.', true],
      ['“cleanupPeriodDays”, “spinnerTipsEnabled”: no counterpart in Countersign.', true],
    ])
  })

  test('names that every object inherits, such as toString, are not accepted as events, types or settings', async () => {
    const { hooks, unused } = await found({
      'home/.gemini/settings.json': settings('constructor', '', command('one')),
      'home/.claude/settings.json': { toString: true, ...settings('Stop', '', { type: 'valueOf' }) },
    })
    expect(hooks).toEqual([])
    expect(unused.map(({ why }) => why)).toEqual([
      'A hook of Stop has the type “valueOf”: only hooks of type “command”, “http” and “prompt” run here.',
      '“toString”: no counterpart in Countersign.',
      'There is no hook event constructor here.',
    ])
  })

  test('the user’s disableAllHooks disables all hooks, and a project’s disableAllHooks disables only the project’s hooks', async () => {
    const files = { 'project/.claude/settings.json': settings('Stop', '', command('theirs')) }
    const mine = settings('Stop', '', command('mine'))
    const off = { disableAllHooks: true }
    const project = await found({ ...files, 'home/.claude/settings.json': mine, 'project/.claude/settings.local.json': off })
    expect(project.hooks.map(({ command: text }) => text)).toEqual(['mine'])
    expect((await found({ ...files, 'data/hooks.json': mine, 'home/.claude/settings.json': off })).hooks).toEqual([])
  })
})

/** Returns the hooks that these files configure, and the messages about them. */
async function foundIn(...entries: readonly object[]): Promise<readonly [readonly Partial<Hook>[], readonly string[]]> {
  const { hooks, unused } = await found({ 'project/.claude/settings.json': settings('PreToolUse', 'Bash', ...entries) })
  return [hooks, unused.map(({ why }) => why)]
}

describe('the fields of a hook', () => {
  test('`args` starts a program without a shell, and `if`, `onFailure` and `async` take effect', async () => {
    const [hooks, unused] = await foundIn(command('./guard', { args: ['a b', '$X'], if: 'Bash(rm *)', onFailure: 'block' }))
    expect(unused).toEqual([])
    expect(hooks).toMatchObject([
      { argv: ['./guard', 'a b', '$X'], command: "./guard 'a b' '$X'", condition: 'Bash(rm *)', failureBlocks: true },
    ])
    const later = await found({ 'data/hooks.json': settings('PostToolUse', '', command('log', { async: true })) })
    expect(later.hooks).toMatchObject([{ isAsync: true }])
  })

  test.each([
    [{ once: true, statusMessage: 'Checking' }, /“once” of the PreToolUse hook “x”: not known here\. The rest/u],
    [{ if: 'rm (' }, /“rm \(” is not a permission rule\. The hook runs for every call\./u],
    [{ async: true }, /“async” of .*: this hook makes a decision, so the agent waits for it\./u],
  ])('%j has no effect, which is listed with the reason', async (more, why) => {
    const [hooks, unused] = await foundIn(command('x', more))
    expect(hooks).toHaveLength(1)
    expect(unused).toEqual([expect.stringMatching(why)])
  })

  test('an http hook keeps its address, headers and variables', async () => {
    const http = { type: 'http', url: 'https://a.org/hook', headers: { a: '$B' }, allowedEnvVars: ['B'] }
    expect(await foundIn(http)).toMatchObject([[{ command: 'https://a.org/hook', http: { headers: { a: '$B' }, variables: ['B'] } }], []])
    const [hooks, unused] = await foundIn({ ...http, url: 'file:///etc/passwd' })
    expect([hooks, unused]).toEqual([[], [expect.stringContaining('does not have the required form')]])
  })

  test('a matcher that is not a valid pattern is reported', async () => {
    const { unused } = await found({ 'data/hooks.json': settings('PreToolUse', '(', command('x')) })
    expect(unused).toMatchObject([{ why: 'The matcher “(” of PreToolUse is not a valid pattern, so its hooks never run.' }])
  })
})

test('Gemini hooks are read with Gemini’s event names, its limits in ms and its list of disabled hooks', async () => {
  const gemini = {
    hooks: {
      BeforeTool: [{ matcher: 'write_file|replace', hooks: [command('guard', { name: 'guard', timeout: 5_000 }), command('off')] }],
      AfterAgent: [{ hooks: [command('review')] }],
      BeforeModel: [{ hooks: [command('never')] }],
      disabled: ['off'],
    },
  }
  const { hooks, unused } = await found({ 'home/.gemini/settings.json': gemini, 'project/.gemini/settings.json': { theme: 'x' } })
  expect(hooks).toMatchObject([
    { event: 'PreToolUse', command: 'guard', timeoutMs: 5_000, dialect: 'gemini', source: '~/.gemini/settings.json' },
    { event: 'Stop', command: 'review', timeoutMs: 60_000 },
  ])
  expect(unused.map(({ why }) => why)).toEqual(['There is no hook event BeforeModel here.'])
})

const PLACE = { root: '/p', home: '/home/me', cwd: '/p/sub' }
const before = (toolName: string, args: HookArguments = {}) =>
  ({ event: 'PreToolUse', toolCallId: ToolCallId.parse('c1'), toolName, args }) as const
interface HookArguments {
  readonly [key: string]: JsonValue
}

describe('a matcher', () => {
  test.each([
    ['', 'shell', true],
    ['*', 'read_file', true],
    ['Bash', 'shell', true],
    ['Bash', 'write_file', false],
    ['Edit|Write', 'write_file', true],
    ['Edit, Write', 'edit_file', true],
    ['Edit', 'notebook_edit', false],
    ['.*Edit', 'notebook_edit', true],
    ['Agent', 'task', true],
    ['Task', 'spawn_agent', true],
    ['mcp__x__.*', 'mcp__x__search', true],
    ['mcp__x', 'mcp__x__search', false],
    [String.raw`mcp__my\-server__.*`, 'mcp__my-server__search', true],
    ['write_file', 'write_file', true],
    ['(', 'shell', false],
  ])('%j for %s: %s', (matcher, toolName, expected) => {
    expect(runsOf(hook('PreToolUse', 'true', matcher), before(toolName), PLACE)).toHaveLength(expected ? 1 : 0)
  })

  test('does not make a hook run for another event', () => {
    expect(runsOf(hook('PostToolUse', 'true'), before('shell'), PLACE)).toEqual([])
  })

  test('a matcher that takes too long on a name fits it, so that a hook that guards is not skipped (X5)', () => {
    expect(runsOf(hook('PreToolUse', 'true', '(a+)+$'), before(`${'a'.repeat(60)}!`), PLACE)).toHaveLength(1)
  })

  test.each([
    ['startup', true],
    ['resume|clear', false],
    ['', true],
  ])('%j for the start of a session: %s', (matcher, expected) => {
    const runs = runsOf(hook('SessionStart', 'true', matcher), { event: 'SessionStart', source: 'startup' }, PLACE)
    expect(runs).toHaveLength(expected ? 1 : 0)
  })
})

test.each([
  ['run_shell_command', 'shell', { command: 'ls' }, ['run_shell_command']],
  ['replace', 'edit_file', { file_path: 'a.ts', old_string: 'x', new_string: 'y' }, ['replace']],
  [
    'write_file|replace',
    'apply_patch',
    { patch: '*** Begin Patch\n*** Add File: a.ts\n+x\n*** Delete File: b.ts\n*** End Patch' },
    ['write_file', 'replace'],
  ],
  ['mcp_s_.*', 'mcp__s__t', {}, ['mcp_s_t']],
  ['Write', 'shell', { command: 'ls' }, []],
])('Gemini’s matcher %s is applied to %s %j', (matcher, toolName, args, expected) => {
  const runs = runsOf({ ...hook('PreToolUse', 'true', matcher), dialect: 'gemini' }, before(toolName, args), PLACE)
  expect(runs.map((call) => call?.toolName)).toEqual(expected)
})

describe('a condition', () => {
  test.each([
    ['Bash(rm *)', 'shell', { command: 'ls && rm -rf x' }, true],
    ['Bash(rm *)', 'shell', { command: 'ls' }, false],
    ['Bash(rm *)', 'shell', { command: 'if [ a' }, true],
    ['Bash(rm *)', 'write_file', { file_path: 'rm x', content: '' }, false],
    ['Edit(*.ts)', 'write_file', { file_path: 'a.ts', content: '' }, true],
    ['Edit(*.ts)', 'edit_file', { file_path: 'a.js' }, false],
    ['Edit(/sub/a.ts)', 'edit_file', { file_path: 'a.ts' }, true],
    ['Write(*.ts)', 'edit_file', { file_path: 'a.ts' }, false],
    ['Read(~/.ssh/**)', 'read_file', { file_path: '/home/me/.ssh/id' }, true],
    ['WebFetch(domain:*.a.org)', 'web_fetch', { url: 'https://x.a.org/y' }, true],
    ['WebFetch(domain:*.a.org)', 'web_fetch', { url: 'https://b.org' }, false],
    ['mcp__s', 'mcp__s__t', {}, true],
    ['mcp__s__*', 'mcp__other__t', {}, false],
    ['Agent(explore)', 'task', { agent_type: 'review', prompt: 'x' }, false],
    ['Grep(pattern:parse*)', 'grep', { pattern: 'parseInt' }, true],
  ] as const)('%s for %s %j: %s', (condition, toolName, args, expected) => {
    const runs = runsOf({ ...hook('PreToolUse', 'true'), condition }, before(toolName, args), PLACE)
    expect(runs).toHaveLength(expected ? 1 : 0)
  })
})

const PATCH = `*** Begin Patch
*** Update File: a.ts
*** Move to: b.ts
@@
-old
+new
*** Add File: c.ts
+text
*** Delete File: /x/d.ts
*** End Patch`

describe('hooks for a call that edits several files', () => {
  const edits = [
    { file_path: 'a.ts', old_string: 'x', new_string: 'y' },
    { file_path: '/x/b.ts', old_string: 'x', new_string: 'y' },
  ]
  const calls = (matcher: string, toolName: string, args: HookArguments, more: Partial<Hook> = {}) =>
    runsOf({ ...hook('PreToolUse', 'true', matcher), ...more }, before(toolName, args), PLACE).map((call) => [
      call?.toolName,
      call?.input['file_path'],
    ])

  test.each([
    ['Edit|Write', 'apply_patch', { patch: PATCH }],
    ['', 'apply_patch', { patch: PATCH }],
  ])('%j runs once for each file of a patch, with an absolute path', (matcher, toolName, args) => {
    expect(calls(matcher, toolName, args)).toEqual([
      ['Edit', '/p/sub/a.ts'],
      ['Edit', '/p/sub/b.ts'],
      ['Write', '/p/sub/c.ts'],
      ['Edit', '/x/d.ts'],
    ])
  })

  test('calls of multi_edit, delete_file and apply_patch are described to hooks one file at a time, and a condition selects files', () => {
    expect(calls('Edit', 'multi_edit', { edits })).toEqual([
      ['MultiEdit', '/p/sub/a.ts'],
      ['MultiEdit', '/x/b.ts'],
    ])
    expect(calls('Write', 'delete_file', { file_path: 'a.ts' })).toEqual([['Edit', '/p/sub/a.ts']])
    expect(calls('Edit', 'apply_patch', { patch: PATCH }, { condition: 'Edit(c.ts)' })).toEqual([['Write', '/p/sub/c.ts']])
  })

  test('hooks that match our tool’s own name, and Codex hooks, get the call unchanged', () => {
    const whole = (more: Partial<Hook>, matcher = 'apply_patch') =>
      runsOf({ ...hook('PreToolUse', 'true', matcher), ...more }, before('apply_patch', { patch: PATCH }), PLACE)
    expect(whole({})).toMatchObject([{ input: { patch: PATCH } }])
    expect(whole({ dialect: 'codex' }, 'Edit')).toMatchObject([{ toolName: 'apply_patch', input: { command: PATCH } }])
  })
})
