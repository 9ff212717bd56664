import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hasNoCopies } from '../environment/copy/support.ts'
import { call, calls, say, type Script } from '../support/scripted-model.ts'
import { FOREIGN, type ForeignRun, foreignRun } from './foreign-place.ts'

const shell = (command: string) => call('shell', { command })
const write = (path: string, content = 'export const a = 1\n') => call('write_file', { file_path: path, content })
const read = (path: string) => call('read_file', { file_path: path })
const done = [say('Done.'), say('I tested nothing.')]

/** Returns a script that answers subagents by their instructions, and the main agent in order. */
const withAgents = (main: ReturnType<typeof say>[]): Script => {
  let at = 0
  return ({ bytes }) => {
    const body = Buffer.from(bytes).toString()
    if (/senior code reviewer|Write plain English|Quote the source|Report bugs first/u.test(body) && body.includes('Look at it'))
      return say('Nothing found.')
    return main[at++] ?? say('I tested nothing.')
  }
}
const task = (kind: string) => call('Task', { subagent_type: kind, description: 'Look', prompt: 'Look at it' })

type Run = readonly [...Parameters<typeof foreignRun>]
/** Each entry is one start of the product in an unchanged copy of the project. */
const RUNS = {
  'claude, work': [
    ...(['claude', 'anthropic'] as const),
    [
      calls(shell('grep -r prices .'), read('packages/api/routes.ts')),
      calls(write('src/a.ts'), write('generated/b.ts')),
      calls(shell('echo region=$SHOP_REGION'), shell('npm run lint; rm CLAUDE.local.md'), write('package.json', '{}\n'), read('src/a.ts')),
      ...done,
    ],
    ['--mode', 'accept-edits', 'Change the prices'],
  ],
  'claude, blocked': ['claude', 'anthropic', [], ['My PASSWORD is hunter2']],
  'claude, /commit': ['claude', 'anthropic', done, ['/commit']],
  'claude, /fix-issue': ['claude', 'anthropic', done, ['/fix-issue 12 high']],
  'claude, /review:security': ['claude', 'anthropic', done, ['/review:security src']],
  'claude, /explain': ['claude', 'anthropic', done, ['/explain the cart']],
  'claude, /standup': ['claude', 'anthropic', done, ['/standup yesterday']],
  'claude, /deploy': ['claude', 'anthropic', done, ['/deploy staging']],
  'claude, skill': [
    ...(['claude', 'anthropic'] as const),
    [
      calls(call('Skill', { skill: 'release-notes' }), call('Skill', { skill: 'deploy' })),
      calls(shell('python3 .claude/skills/release-notes/scripts/notes.py v1.0'), read('.claude/skills/release-notes/references/format.md')),
      ...done,
    ],
    ['Write notes'],
  ],
  'claude, agents': ['claude', 'anthropic', withAgents([calls(task('code-reviewer'), task('tech-writer')), say('Done.')]), ['Review']],
  'claude with GPT': ['claude', 'openai', [calls(read('packages/api/routes.ts')), ...done], ['Hello']],
  'codex, work': [
    'codex',
    'openai',
    [calls(read('services/billing/invoice.py'), shell('echo prod'), shell('echo stage')), say('Done.')],
    ['Bill'],
  ],
  'codex, /draftpr': ['codex', 'openai', [say('Done.')], ['/draftpr now FILES="a b" PR_TITLE=Fast']],
  'codex, agents': ['codex', 'openai', withAgents([calls(task('reviewer'), task('docs-researcher')), say('Done.')]), ['Review']],
  'codex with Claude': ['codex', 'anthropic', [say('Done.')], ['Hello']],
  'gemini, work': ['gemini', 'gemini', [calls(read('src/tiles/cache.go')), say('Done.')], ['Cache']],
  'gemini, /git:commit': ['gemini', 'gemini', [say('Done.')], ['/git:commit']],
  'gemini, /grep-code': ['gemini', 'gemini', [say('Done.')], ["/grep-code it's; LONGITUDE"]],
  'gemini, /plan': ['gemini', 'gemini', [say('Done.')], ['/plan']],
  'gemini, /refactor:pure': ['gemini', 'gemini', [say('Done.')], ['/refactor:pure']],
} as const satisfies Readonly<Record<string, Run>>

type RunName = keyof typeof RUNS
type Place = number | 'subagents' | 'outputs' | 'told' | 'log'

/**
 * For each file: a run that uses it, and text that shows that it was used as its author intended. A number is the index of the request
 * that contains the text.
 */
const SHOWN: readonly (readonly [file: string, run: RunName, place: Place, is: RegExp, not?: 'absent'])[] = [
  ['claude-project/CLAUDE.md', 'claude, work', 0, /prices are integers in cents/u],
  ['claude-project/CLAUDE.md', 'claude with GPT', 0, /prices are integers in cents/u],
  ['claude-project/docs/style.md', 'claude, work', 0, /<document path=\\"docs\/style\.md\\">/u],
  ['claude-project/docs/naming.md', 'claude, work', 0, /Functions are verbs\./u],
  ['claude-project/CLAUDE.local.md', 'claude, work', 0, /called shop_kim/u],
  ['claude-project/packages/api/CLAUDE.md', 'claude, work', 0, /problem\+json/u, 'absent'],
  [
    'claude-project/packages/api/CLAUDE.md',
    'claude, work',
    1,
    /<document path=\\"packages\/api\/CLAUDE\.md\\">\\n# API package\\n\\nEvery route returns problem\+json/u,
  ],
  ['claude-project/packages/api/CLAUDE.md', 'claude with GPT', 1, /problem\+json/u],
  ['claude-project/packages/api/routes.ts', 'claude, work', 'outputs', /prices/u],
  ['claude-project/.claude/rules/general.md', 'claude, work', 0, /Never edit generated files\./u],
  ['claude-project/.claude/rules/frontend/components.md', 'claude, work', 0, /Only for files that match: src\/components\/\*\*\/\*\.tsx/u],
  ['claude-project/.claude/settings.json', 'claude, work', 'log', /\d+ ended$/mu],
  ['claude-project/.claude/settings.local.json', 'claude, work', 'outputs', /The linter is broken today\./u],
  ['claude-project/.claude/settings.local.json', 'claude, work', 'told', /WorktreeCreate/u],
  [
    'claude-project/.claude/settings.json',
    'claude, work',
    'told',
    /Ignored in \.claude\/settings\.json: its permissions \(2 allow, 1 deny\)/u,
  ],
  ['claude-project/.claude/settings.json', 'claude, work', 'told', /its variables \(NODE_ENV\)/u],
  ['claude-project/.claude/hooks/session-start.sh', 'claude, work', 0, /Sprint goal: checkout in two clicks\./u],
  ['claude-project/.claude/hooks/session-start.sh', 'claude, work', 'outputs', /region=eu-north/u],
  ['claude-project/.claude/hooks/prompt_context.py', 'claude, work', 0, /Current branch policy: small commits\./u],
  ['claude-project/.claude/hooks/prompt_context.py', 'claude, blocked', 'told', /Do not paste passwords\./u],
  ['claude-project/.claude/hooks/bash_guard.py', 'claude, work', 'outputs', /Use 'rg' \(ripgrep\) instead of 'grep'/u],
  ['claude-project/.claude/hooks/protect-files.sh', 'claude, work', 'outputs', /matches protected pattern 'generated\/'/u],
  ['claude-project/.claude/hooks/format.mjs', 'claude, work', 2, /A hook says: Write: remember to run the formatter\./u],
  ['claude-project/.claude/hooks/header.mjs', 'claude, work', 'outputs', /\/\/ \(c\) Shop/u],
  ['claude-project/.claude/hooks/stop-check.sh', 'claude, work', 4, /Say what you tested before you stop\./u],
  ['claude-project/.claude/commands/commit.md', 'claude, /commit', 0, /Current branch: checkout\b.*create a single git commit/u],
  [
    'claude-project/.claude/commands/fix-issue.md',
    'claude, /fix-issue',
    0,
    /Fix issue #12 with priority high\. All I was told: 12 high\..*Two spaces, no semicolons/u,
  ],
  [
    'claude-project/.claude/commands/review/security.md',
    'claude, /review:security',
    0,
    /Review src for security problems\. Costs nothing, like \$HOME\./u,
  ],
  ['claude-project/.claude/commands/explain.md', 'claude, /explain', 0, /Explain this code simply\.\\n\\nARGUMENTS: the cart/u],
  [
    'claude-project/.claude/skills/release-notes/SKILL.md',
    'claude, skill',
    0,
    /\/release-notes: Writes release notes\. Use when: the user/u,
  ],
  ['claude-project/.claude/skills/release-notes/SKILL.md', 'claude, skill', 1, /Run `python3 scripts\/notes\.py v1\.0`/u],
  ['claude-project/.claude/skills/release-notes/scripts/notes.py', 'claude, skill', 'outputs', /Notes since v1\.0: faster checkout/u],
  ['claude-project/.claude/skills/release-notes/references/format.md', 'claude, skill', 'outputs', /Past tense, one line per change\./u],
  ['claude-project/.claude/skills/deploy/SKILL.md', 'claude, skill', 'outputs', /Deploy to/u, 'absent'],
  ['claude-project/.claude/skills/deploy/SKILL.md', 'claude, /deploy', 0, /Deploy to staging\./u],
  ['claude-project/.claude/agents/code-reviewer.md', 'claude, agents', 'subagents', /You are a senior code reviewer\./u],
  ['claude-project/.claude/agents/docs/tech-writer.md', 'claude, agents', 'outputs', /Nothing found\./u],
  [
    'claude-project/.claude/agents/docs/tech-writer.md',
    'claude, agents',
    'told',
    /tech-writer\.md has fields that have no effect here: skills\./u,
  ],
  [
    'claude-project/.claude/agents/README.md',
    'claude, agents',
    'told',
    /README\.md is not used as an agent: The file does not begin with front matter/u,
  ],
  ['claude-home/.claude/CLAUDE.md', 'claude, work', 0, /I am Kim\./u],
  ['claude-home/.claude/CLAUDE.md', 'claude with GPT', 0, /I am Kim\./u],
  ['claude-home/.claude/settings.json', 'claude, work', 0, /It is sprint 12\./u],
  ['claude-home/.claude/settings.json', 'claude, work', 'log', /"hook_event_name":"Notification"/u],
  ['claude-home/.claude/commands/standup.md', 'claude, /standup', 0, /List what changed since yesterday\./u],
  ['claude-home/.claude/agents/planner.md', 'claude, agents', 0, /planner/u],
  // An MCP server may offer a tool later, so unknown tools cause no warning.
  ['claude-home/.claude/agents/planner.md', 'claude, agents', 'told', /lists tools that do not exist here/u, 'absent'],
  ['claude-home/.claude/skills/sql/SKILL.md', 'claude, skill', 0, /\/sql: Answers questions about the warehouse/u],
  ['codex-project/AGENTS.md', 'codex, work', 0, /Run `make check` before you finish\./u],
  ['codex-project/AGENTS.md', 'codex with Claude', 0, /Run `make check` before you finish\./u],
  ['codex-project/services/billing/AGENTS.md', 'codex, work', 0, /Money is a Decimal\./u, 'absent'],
  ['codex-project/services/billing/AGENTS.md', 'codex, work', 1, /Money is a Decimal\..*freeze/u],
  ['codex-project/services/billing/AGENTS.override.md', 'codex, work', 1, /change no migrations\./u],
  ['codex-project/services/billing/invoice.py', 'codex, work', 'outputs', /TOTAL = 1/u],
  ['codex-project/.codex/agents/reviewer.toml', 'codex, agents', 0, /Reviews a change without touching it\./u],
  [
    'codex-project/.codex/agents/reviewer.toml',
    'codex, agents',
    'told',
    /reviewer\.toml has fields that have no effect here: model_reasoning_effort\./u,
  ],
  ['codex-project/.codex/agents/docs_researcher.toml', 'codex, agents', 'outputs', /Nothing found\.[\s\S]*Nothing found\./u],
  ['codex-project/.codex/hooks.json', 'codex, work', 0, /Load the billing notes first\./u],
  ['codex-project/.codex/hooks/no_prod.py', 'codex, work', 'outputs', /Bash: production is off limits\./u],
  ['codex-project/.agents/skills/triage/SKILL.md', 'codex, work', 0, /\/triage: Sorts bug reports/u],
  ['codex-home/.codex/AGENTS.md', 'codex, work', 0, /Prefer pnpm\./u],
  ['codex-home/.codex/prompts/draftpr.md', 'codex, /draftpr', 0, /Create a branch for a b\. Title: \\"Fast\\"\. First: now\. Costs \$5\./u],
  ['gemini-project/GEMINI.md', 'gemini, work', 0, /Project: maps/u],
  ['gemini-project/docs/rules.md', 'gemini, work', 0, /Coordinates are longitude first\./u],
  ['gemini-project/src/tiles/GEMINI.md', 'gemini, work', 0, /cached for a day/u, 'absent'],
  ['gemini-project/src/tiles/GEMINI.md', 'gemini, work', 1, /Tiles are cached for a day\./u],
  ['gemini-project/src/tiles/cache.go', 'gemini, work', 'outputs', /package tiles/u],
  ['gemini-project/.gemini/commands/git/commit.toml', 'gemini, /git:commit', 0, /Write a commit message for:/u],
  [
    'gemini-project/.gemini/commands/grep-code.toml',
    'gemini, /grep-code',
    0,
    /findings for `it's; LONGITUDE`:.*and keep to .*Coordinates are longitude first\./u,
  ],
  ['gemini-project/.gemini/commands/plan.toml', 'gemini, /plan', 0, /Only plan, change nothing\./u],
  ['gemini-project/.gemini/skills/projections/SKILL.md', 'gemini, work', 0, /\/projections: Converts between projections/u],
  ['gemini-home/.gemini/GEMINI.md', 'gemini, work', 0, /Use metric units\./u],
  ['gemini-home/.gemini/commands/refactor/pure.toml', 'gemini, /refactor:pure', 0, /Refactor into a pure function\./u],
]

// Commands inside slash commands and confined hooks need bubblewrap. `hasNoCopies` prints the reason for the skip.
describe.skipIf(hasNoCopies)('files that people wrote for other agents, unchanged', () => {
  const ran = new Map<RunName, Promise<ForeignRun>>()
  const runOf = (name: RunName): Promise<ForeignRun> => {
    const run = ran.get(name) ?? foreignRun(...(RUNS[name] as Run))
    ran.set(name, run)
    return run
  }

  test.each(SHOWN.map(([file, name, at, is, not]) => ({ file, name, at, is, not })))(
    '$name: $file, $at $is',
    { timeout: 60_000 },
    async ({ name, at, is, not }) => {
      const run = await runOf(name)
      const found = String((typeof at === 'number' ? run.requests[at] : run[at]) ?? '')
      if (not) expect(found).not.toMatch(is)
      else expect(found).toMatch(is)
    },
  )

  test('the table contains every file, and there are more than 30', () => {
    const files = readdirSync(FOREIGN, { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? [relative(FOREIGN, join(entry.parentPath, entry.name))] : [],
    )
    const shown = new Set(SHOWN.map(([file]) => file))
    expect(files.filter((file) => !shown.has(file))).toEqual([])
    expect(shown.size).toBeGreaterThan(30)
  })

  test('a run blocked by a hook sends no request and exits with 1', async () => {
    const { requests, code } = await runOf('claude, blocked')
    expect([requests, code]).toEqual([[], 1])
  })
})
