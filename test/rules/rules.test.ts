import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RuleDraft } from '../../shared/api/rules.ts'
import type { CommandEffect, Effect } from '../../shared/session/effects.ts'
import type { ApprovalMode } from '../../shared/session/settings/approval-mode.ts'
import { createPolicy } from '../../main/approval/policy.ts'
import { backTest } from '../../main/rules/back-test.ts'
import { importProject } from '../../main/rules/project-rules.ts'
import { withRules } from '../../main/rules/ruled-policy.ts'
import { fitsIgnoreLine } from '../../main/environment/search/ignore/ignore-rule.ts'
import { openRulesFile } from '../../main/rules/rules-file.ts'
import { BlobHash } from '../../shared/lib/ids.ts'
import { commandEffect } from '../support/effects.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const PLACE = { root: '/ws', home: '/home/ada', fitsPath: fitsIgnoreLine }
const ALWAYS = { kind: 'always' } as const
const rule = (answer: RuleDraft['answer'], pattern: string, kind: RuleDraft['when']['kind'] = 'command'): RuleDraft => ({
  answer,
  when: { kind, pattern },
  where: ALWAYS,
})
const run = commandEffect
const change = (path: string, more: { readonly outside?: boolean; readonly control?: boolean } = {}): Effect => ({
  kind: 'write',
  path,
  shown: path,
  outside: false,
  control: false,
  before: null,
  after: BlobHash.parse('0'.repeat(64)),
  beforeBytes: 0,
  afterBytes: 1,
  lines: null,
  ...more,
})
const copied = (command: string): Effect => run(command, { sandbox: 'copy' })
const network: Effect = { kind: 'network', url: 'https://a.example.org/x', host: 'a.example.org' }

function verdict(rules: readonly RuleDraft[], effects: readonly Effect[], mode: ApprovalMode = 'ask'): string {
  const uses: RuleDraft[] = []
  const judged = withRules(createPolicy(PLACE), { ...PLACE, rules: () => rules, onUse: (used) => uses.push(used) }).judge(effects, mode)
  const by = judged.kind === 'allow' ? (judged.by.kind === 'rule' ? ` by ${judged.by.rule}` : ' by mode') : ''
  expect(uses.length).toBe(by.startsWith(' by mode') || (judged.kind !== 'allow' && !judged.reason.includes('Your rule')) ? 0 : 1)
  return `${judged.kind}${by}`
}

describe('a rule for commands', () => {
  it.each<[string, readonly RuleDraft[], string, string]>([
    ['allows exactly its command', [rule('allow', 'npm test')], 'npm test', 'allow by npm test'],
    ['does not allow a longer command', [rule('allow', 'npm test')], 'npm test -- --watch', 'ask'],
    ['can allow every command with its prefix', [rule('allow', 'npm run:*')], 'npm run lint', 'allow by npm run:*'],
    ['can also be written with a space', [rule('allow', 'npm run *')], 'npm run lint', 'allow by npm run *'],
    ['ends its prefix at a word boundary (C18)', [rule('allow', 'git log:*')], 'git logout', 'ask'],
    ['must cover each command of a line', [rule('allow', 'npm test')], 'npm test && curl https://x', 'ask'],
    [
      'allows a line if every command in it is covered',
      [rule('allow', 'npm test'), rule('allow', 'npm run:*')],
      'npm test && npm run lint | head',
      'allow by npm test',
    ],
    ['does not cover a substitution', [rule('allow', 'npm run:*')], 'npm run $(curl https://x)', 'ask'],
    ['does not cover a redirect', [rule('allow', 'npm test')], 'npm test > out.txt', 'ask'],
    ['does not cover a variable', [rule('allow', 'npm test')], 'NODE_OPTIONS=x npm test', 'ask'],
    ['covers its command under timeout', [rule('allow', 'npm test')], 'timeout 60 npm test', 'allow by npm test'],
    [
      'ignores a wildcard for a program that starts other programs',
      [rule('allow', 'sudo:*'), rule('allow', 'bash -c:*'), rule('allow', 'env:*')],
      "bash -c 'npm test'",
      'ask',
    ],
    ['does not allow a change to a control file', [rule('allow', 'tee:*')], 'tee .git/config', 'ask'],
    ['does not allow a change outside the folder', [rule('allow', 'cp:*')], 'cp a /etc/x', 'ask'],
    ['does not allow an irrecoverable command', [rule('allow', 'git:*')], 'git reset --hard', 'ask'],
    ['cannot allow a blocked command', [rule('allow', 'rm -rf /')], 'rm -rf /', 'deny'],
    ['denies', [rule('deny', 'git push:*')], 'git push origin main', 'deny'],
    ['denies its command inside a longer line or wrapper', [rule('deny', 'git push:*')], 'ls && timeout 5 /usr/bin/git push', 'deny'],
    ['denies what xargs starts', [rule('deny', 'rm:*')], 'ls | xargs rm', 'deny'],
    ['denies a command that cannot be parsed (C8)', [rule('deny', 'git push:*')], 'git push "', 'deny'],
    [
      'that denies overrides one that allows, however narrow',
      [rule('allow', 'git push origin main'), rule('deny', 'git:*')],
      'git push origin main',
      'deny',
    ],
    ['that requires approval overrides one that allows', [rule('allow', 'npm test'), rule('ask', 'npm:*')], 'npm test', 'ask'],
    ['can require approval even for a read-only command', [rule('ask', 'ls:*')], 'ls', 'ask'],
    ['denies a command with a denied host', [rule('deny', 'evil.org', 'host')], 'curl https://evil.org/x', 'deny'],
    ['denies a denied host next to an option', [rule('deny', 'evil.org', 'host')], 'curl -xhttps://me@evil.org/x', 'deny'],
    ['denies a command with a denied file', [rule('deny', '/secret/**', 'path')], 'cat secret/x', 'deny'],
  ])('%s', (_, rules, command, expected) => {
    expect(verdict(rules, [run(command)])).toBe(expected)
  })

  it('covers changes that the command made in its copy, except to control files', () => {
    expect(verdict([rule('allow', 'npm run format')], [run('npm run format'), change('/ws/a.ts')])).toBe('allow by npm run format')
    expect(verdict([rule('allow', 'npm run format')], [run('npm run format'), change('/ws/package.json', { control: true })])).toBe('ask')
  })

  it('has no effect in plan mode', () => {
    expect(verdict([rule('allow', 'npm test')], [run('npm test')], 'plan')).toBe('deny')
  })
})

it('a rule for a host is applied to a very long command without delay', () => {
  const begun = performance.now()
  const command = `echo ${'a.'.repeat(50_000)} https://evil.org/x`
  expect(verdict([rule('deny', 'evil.org', 'host')], [run(command)])).toBe('deny')
  expect(performance.now() - begun).toBeLessThan(5_000)
})

describe('a rule for paths and hosts', () => {
  it.each<[string, RuleDraft, Effect, string]>([
    ['matches all files in a folder', rule('allow', '/dist/', 'path'), change('/ws/dist/a.js'), 'allow by path /dist/'],
    ['does not match a path with the same name in a subfolder', rule('allow', '/src/**', 'path'), change('/ws/x/src/a'), 'ask'],
    ['does not match a path outside the project (C18)', rule('allow', 'src/**', 'path'), change('/x/src/a', { outside: true }), 'ask'],
    [
      'matches a path outside the project if it begins with //',
      rule('allow', '//var/log/x', 'path'),
      change('/var/log/x', { outside: true }),
      'allow by path //var/log/x',
    ],
    ['never matches a control file', rule('allow', '*', 'path'), change('/ws/.npmrc', { control: true }), 'ask'],
    ['matches a host', rule('allow', 'a.example.org', 'host'), network, 'allow by host a.example.org'],
    ['matches all subdomains of a host', rule('allow', '*.example.org', 'host'), network, 'allow by host *.example.org'],
    ['for subdomains does not match the host itself', rule('allow', '*.a.example.org', 'host'), network, 'ask'],
    ['does not match a host with the same ending', rule('allow', 'example.org', 'host'), { ...network, host: 'evilexample.org' }, 'ask'],
    ['denies a host, even if it has a trailing dot', rule('deny', 'a.example.org', 'host'), { ...network, host: 'a.example.org.' }, 'deny'],
    ['denies the subdomains of a host', rule('deny', '*.example.org', 'host'), network, 'deny'],
    [
      'matches a local port',
      rule('allow', 'localhost:5432', 'host'),
      { ...network, host: 'localhost:5432' },
      'allow by host localhost:5432',
    ],
    [
      'that allows a local host without a port does not match a port',
      rule('allow', 'localhost', 'host'),
      { ...network, host: 'localhost:5432' },
      'ask',
    ],
    [
      'that denies a local host without a port matches all ports',
      rule('deny', 'localhost', 'host'),
      { ...network, host: 'localhost:5432' },
      'deny',
    ],
  ])('%s', (_, one, effect, expected) => {
    expect(verdict([one], [effect])).toBe(expected)
  })
})

it.each<[RuleDraft['answer'], string, string]>([
  ['deny', 'dist/**', 'deny'],
  ['deny', 'dist', 'deny'],
  ['ask', 'dist/**', 'ask'],
  ['deny', 'src/**', 'allow by mode'],
  ['deny', 'dist/x', 'allow by mode'],
])('a rule that says %s for %s decides %s about a folder dist that is created with all its files', (answer, pattern, expected) => {
  const tree = { files: 300, bytes: 1, hash: 'h' }
  const folder: Effect = { kind: 'folder', path: '/ws/dist', shown: 'dist', outside: false, control: false, change: 'created', tree }
  expect(verdict([rule(answer, pattern, 'path')], [copied('npm run build'), folder], 'accept-edits')).toBe(expected)
})

it('each effect that needs approval needs its own rule', () => {
  expect(verdict([rule('allow', 'a.example.org', 'host')], [network, change('/ws/a')])).toBe('ask')
})

it.each<[ApprovalMode, Effect]>([
  ['ask', run('ls')],
  ['accept-edits', change('/ws/a')],
  ['full', run('npm test')],
])('while the rules cannot be read, actions that mode %s allows need approval', (mode, effect) => {
  const parts = { ...PLACE, rules: () => [], onUse: () => {} }
  expect(withRules(createPolicy(PLACE), parts).judge([effect], mode).kind).toBe('allow')
  const unknown = withRules(createPolicy(PLACE), { ...parts, unknown: () => 'your' })
  expect(unknown.judge([effect], mode)).toMatchObject({ kind: 'ask', reason: expect.stringContaining('Your rules cannot be read') })
})

it('while the project’s rules cannot be read, the user’s rules deny as before, but allow nothing', () => {
  const parts = { ...PLACE, rules: () => [rule('allow', 'npm test'), rule('deny', 'npm ci')], onUse: () => {} }
  expect(withRules(createPolicy(PLACE), parts).judge([run('npm test')], 'ask').kind).toBe('allow')
  const unknown = withRules(createPolicy(PLACE), { ...parts, unknown: () => 'project' })
  expect(unknown.judge([run('npm test')], 'ask')).toMatchObject({
    kind: 'ask',
    reason: expect.stringContaining('project’s rules cannot be read'),
  })
  expect(unknown.judge([run('npm ci')], 'full').kind).toBe('deny')
})

describe('the file with the rules', () => {
  const folderOf = (): string => {
    const folder = temporaryFolder('rules')
    return folder
  }

  it('stores every change, even by another process: rules added, switched off, used or removed', () => {
    const folder = folderOf()
    const one = openRulesFile(folder)
    const other = openRulesFile(folder)
    expect(one.add([rule('allow', 'npm test'), rule('deny', 'git push:*')], 'you').ok).toBe(true)
    const [first, second] = other.state().rules
    expect([first?.when.pattern, second?.answer, first?.isOn, first?.uses]).toEqual(['npm test', 'deny', true, 0])
    one.switch(first?.id ?? '', false)
    other.remove(second?.id ?? '')
    expect(one.state().rules.map(({ isOn, when }) => [when.pattern, isOn])).toEqual([['npm test', false]])
    one.use(first?.id ?? '')
    one.use(first?.id ?? '')
    one.dispose()
    expect(openRulesFile(folder).state().rules[0]).toMatchObject({ uses: 2, isOn: false })
  })

  it('is reported and left unchanged if it cannot be read', () => {
    const folder = folderOf()
    writeFileSync(join(folder, 'rules.json'), '{"rules": 1')
    const rules = openRulesFile(folder)
    expect(rules.state()).toMatchObject({ rules: [], trouble: { code: 'rules_unusable' } })
    expect(rules.add([rule('allow', 'ls')], 'you').ok).toBe(false)
    expect(readFileSync(join(folder, 'rules.json'), 'utf8')).toBe('{"rules": 1')
  })
})

it('a new rule can be tested on past commands', () => {
  const past = ['npm test', 'npm run lint', 'npm test', 'ls'].map((command, at) => ({
    effect: run(command),
    folder: '/ws',
    refused: at === 2,
    changes: [],
  }))
  const commands = past.flatMap(({ effect, ...rest }) => (effect.kind === 'command' ? [{ ...rest, effect }] : []))
  expect(backTest([rule('allow', 'npm:*')], commands, PLACE)).toEqual({
    commands: 4,
    fits: [
      { command: 'npm test', times: 2, refused: 1 },
      { command: 'npm run lint', times: 1, refused: 0 },
    ],
  })
  expect(backTest([{ ...rule('allow', 'npm:*'), where: { kind: 'project', folder: '/other' } }], commands, PLACE).fits).toEqual([])
})

describe('the rules of a project', () => {
  const file = (rules: readonly unknown[]): string => JSON.stringify({ version: 1, rules })
  const entry = (answer: string, pattern: string) => ({ answer, when: { kind: 'command', pattern } })

  it('can require approval or refuse, but cannot allow', () => {
    const read = importProject(file([entry('deny', 'git push:*'), entry('ask', 'npm publish:*'), entry('allow', 'curl:*')]), '/ws')
    expect(read.rules.map(({ answer, when, where }) => [answer, when.pattern, where])).toEqual([
      ['deny', 'git push:*', { kind: 'project', folder: '/ws' }],
      ['ask', 'npm publish:*', { kind: 'project', folder: '/ws' }],
    ])
    expect([read.ignored, read.unusable]).toEqual([['curl:*'], null])
    const rules = [...read.rules.map((each) => ({ ...each, origin: 'project' as const })), rule('allow', 'git push:*')]
    expect(withRules(createPolicy(PLACE), { ...PLACE, rules: () => rules, onUse: () => {} }).judge([run('git push')], 'ask')).toEqual({
      kind: 'deny',
      reason: 'The project’s rule git push:* denies this step.',
    })
  })

  it.each([
    ['not JSON', '{'],
    ['an unknown format', '{"rules": []}'],
    ['an entry that is not a rule', file([entry('deny', 'git push:*'), { answer: 'never' }])],
    ['too long', null],
  ])('cannot be used: %s', (_, text) => {
    const { unusable, rules } = importProject(text, '/ws')
    expect([typeof unusable, rules]).toEqual(['string', []])
  })
})

describe('a rule for a command’s changes in a copy', () => {
  const inCopy: RuleDraft = { answer: 'allow', when: { kind: 'command', pattern: 'npm run format', inCopy: true }, where: ALWAYS }
  const removal = {
    kind: 'delete',
    path: '/ws/a',
    shown: 'a',
    outside: false,
    control: false,
    before: BlobHash.parse('0'.repeat(64)),
    beforeBytes: 1,
  } as const

  it.each<[string, readonly Effect[], string]>([
    ['allows ordinary changes', [copied('npm run format'), change('/ws/a.ts')], 'allow by npm run format'],
    ['needs approval for a deletion', [copied('npm run format'), change('/ws/a.ts'), removal], 'ask'],
    ['needs approval for a control file', [copied('npm run format'), change('/ws/.git/config', { control: true })], 'ask'],
    ['needs approval for a host', [copied('npm run format'), network], 'ask'],
    ['needs approval if the command would run outside a copy', [run('npm run format')], 'ask'],
    ['needs approval for other arguments', [copied('npm run format -- --all'), change('/ws/a.ts')], 'ask'],
  ])('%s', (_, effects, expected) => {
    expect(verdict([inCopy], effects)).toBe(expected)
  })

  it('matches only past commands that ran in copies', () => {
    const past = [copied('npm run format'), run('npm run format')].flatMap((effect) =>
      effect.kind === 'command' ? [{ effect, folder: '/ws', refused: false, changes: [] }] : [],
    )
    expect(backTest([inCopy], past, PLACE)).toEqual({ commands: 2, fits: [{ command: 'npm run format', times: 1, refused: 0 }] })
  })
})

describe('a rule for changes to ignored places', () => {
  const ignored = (pattern: string): RuleDraft => ({ answer: 'allow', when: { kind: 'path', pattern }, where: ALWAYS })
  const tree = { files: 300, bytes: 9, hash: 'h' }
  const folder = { kind: 'folder', path: '/ws/dist', shown: 'dist', outside: false, control: false, change: 'created', tree } as const

  it.each<[string, readonly Effect[], string]>([
    ['allows a changed file in the place', [copied('npm run build'), change('/ws/dist/a.js')], 'allow by path /dist'],
    ['allows a complete new folder', [copied('npm run build'), folder], 'allow by path /dist'],
    ['needs approval for a change outside the place', [copied('npm run build'), change('/ws/dist/a.js'), change('/ws/distant.js')], 'ask'],
    [
      'needs approval for a control file in the place',
      [copied('npm run build'), change('/ws/dist/package.json', { control: true })],
      'ask',
    ],
    ['must exist for each place', [copied('npm run build'), change('/ws/dist/a.js'), change('/ws/out/b.js')], 'ask'],
  ])('%s', (_, effects, expected) => expect(verdict([ignored('/dist')], effects)).toBe(expected))

  it('is tested against the changes of earlier commands', () => {
    const past = [['/ws/dist/a.js'], ['/ws/dist/a.js', '/ws/src/a.ts'], []].flatMap((paths, at) => {
      const effect = copied(`npm run ${at}`)
      return effect.kind === 'command' ? [{ effect, folder: '/ws', refused: false, changes: paths.map((path) => change(path)) }] : []
    })
    expect(backTest([ignored('/dist')], past, PLACE).fits).toEqual([{ command: 'npm run 0', times: 1, refused: 0 }])
  })
})

describe('a rule for how a command runs', () => {
  const wayRule = (way: 'confined' | 'open', pattern = 'npm run serve'): RuleDraft => ({
    answer: 'allow',
    when: { kind: 'command', pattern, way },
    where: ALWAYS,
  })
  const wayOf = (rules: readonly RuleDraft[], command: string, mode: ApprovalMode = 'ask', more: object = {}, required = false): string => {
    const policy = createPolicy({ ...PLACE, isSandboxRequired: required })
    const ruled = withRules(policy, { ...PLACE, rules: () => rules, onUse: () => {} })
    return ruled.sandboxFor(run(command, more), mode, null) ?? 'open'
  }

  it.each<[string, string, () => string]>([
    ['runs it confined at once', 'confined', () => wayOf([wayRule('confined')], 'npm run serve')],
    ['runs it for real at once', 'open', () => wayOf([wayRule('open')], 'npm run serve')],
    ['leaves other commands in a copy', 'copy', () => wayOf([wayRule('open')], 'npm run build')],
    ['must cover the whole line', 'copy', () => wayOf([wayRule('open')], 'npm run serve && npm run build')],
    ['has no effect in plan mode', 'copy', () => wayOf([wayRule('open')], 'npm run serve', 'plan')],
    ['has no effect on a command that must be sandboxed', 'copy', () => wayOf([wayRule('open')], 'npm run serve', 'ask', {}, true)],
    ['can confine a command that must be sandboxed', 'confined', () => wayOf([wayRule('confined')], 'npm run serve', 'ask', {}, true)],
    ['never confines the session’s bash', 'copy', () => wayOf([wayRule('confined')], 'npm run serve', 'ask', { way: 'shell' })],
    ['prefers the narrower way', 'confined', () => wayOf([wayRule('open'), wayRule('confined')], 'npm run serve')],
    ['does not change how an ordinary allowed command runs', 'copy', () => wayOf([rule('allow', 'npm run serve')], 'npm run serve')],
  ])('%s', (_, expected, found) => expect(found()).toBe(expected))

  it.each<[string, 'confined' | 'open', object, string]>([
    ['allows a confined run', 'confined', { sandbox: 'confined' }, 'allow by npm run serve'],
    ['needs approval for an unconfined run', 'confined', {}, 'ask'],
    ['allows an unconfined run', 'open', {}, 'allow by npm run serve'],
    ['needs approval for a confined run', 'open', { sandbox: 'confined' }, 'ask'],
    ['needs approval for changes from a copy', 'open', { sandbox: 'copy' }, 'ask'],
  ])('%s (%s)', (_, way, more, expected) => {
    const effect = { ...run('npm run serve'), ...more } as Effect
    const changes = 'sandbox' in more && more.sandbox === 'copy' ? [change('/ws/a.ts')] : []
    expect(verdict([wayRule(way)], [effect, ...changes])).toBe(expected)
  })

  it('never allows a command that has unpredictable effects or reaches a control file', () => {
    expect(verdict([wayRule('open', 'rm -rf $X')], [run('rm -rf $X')])).toBe('ask')
    expect(verdict([wayRule('open', 'echo x > .git/config')], [run('echo x > .git/config')])).toBe('ask')
  })

  it('is tested on the history as if past commands had run that way', () => {
    const effect = { ...run('npm run serve'), sandbox: 'copy' } as CommandEffect
    const past = [{ effect, folder: '/ws', refused: false, changes: [] }]
    for (const way of ['confined', 'open'] as const) expect(backTest([wayRule(way)], past, PLACE).fits).toHaveLength(1)
  })
})

it.each<[string, string, RuleDraft['answer'], ApprovalMode, string]>([
  ['one tool', 'mcp__tickets__find', 'allow', 'ask', 'allow by tool mcp__tickets__find'],
  ['all tools of a server', 'mcp__tickets__*', 'allow', 'ask', 'allow by tool mcp__tickets__*'],
  ['no server whose name only has the same beginning', 'mcp__tick', 'allow', 'ask', 'ask'],
  ['never all servers', 'mcp__*', 'allow', 'ask', 'ask'],
  ['nothing in mode plan', 'mcp__tickets__find', 'allow', 'plan', 'deny'],
])('a rule for MCP tools allows %s', (_, pattern, answer, mode, expected) => {
  const tool = { name: 'mcp__tickets__find', arguments: '{}' }
  const effect: Effect = { kind: 'unknown', summary: 'Calls it.', tool }
  expect(verdict([rule(answer, pattern, 'tool')], [effect], mode)).toBe(expected)
})
