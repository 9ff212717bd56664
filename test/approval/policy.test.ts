import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MODE_TABLE } from '../../main/approval/mode-table.ts'
import { createPolicy } from '../../main/approval/policy.ts'
import type { CommandEffect, DeleteEffect, Effect, ReadEffect, WriteEffect } from '../../shared/session/effects.ts'
import type { ApprovalMode } from '../../shared/session/settings/approval-mode.ts'
import { BlobHash } from '../../shared/lib/ids.ts'
import { commandEffect } from '../support/effects.ts'

const HASH = BlobHash.parse('0'.repeat(64))
const policy = createPolicy({ root: '/ws', home: '/home/ada' })
const inside = { path: '/ws/a.ts', shown: 'a.ts', outside: false, control: false }
const write: WriteEffect = { kind: 'write', ...inside, before: HASH, after: HASH, beforeBytes: 1, afterBytes: 2, lines: null }
const created: WriteEffect = { ...write, before: null }
const control: WriteEffect = { ...write, path: '/ws/.git/config', shown: '.git/config', control: true }
const away: WriteEffect = { ...write, path: '/etc/x', shown: '/etc/x', outside: true }
const removal: DeleteEffect = { kind: 'delete', ...inside, before: HASH, beforeBytes: 1 }
const moved: readonly Effect[] = [removal, { ...created, path: '/ws/b.ts', shown: 'b.ts', movedFrom: { path: '/ws/a.ts', shown: 'a.ts' } }]
const read: ReadEffect = { kind: 'read', path: '/etc/x', shown: '/etc/x', outside: true, control: false }
const run = commandEffect
const network: Effect = { kind: 'network', url: 'https://example.org/x', host: 'example.org' }
const unknown: Effect = { kind: 'unknown', summary: 'custom {}' }

const MODES: readonly ApprovalMode[] = ['plan', 'ask', 'accept-edits', 'auto', 'full']
const kinds = (...effects: readonly Effect[]): string => MODES.map((mode) => policy.judge(effects, mode).kind).join(' ')

describe('how the five modes judge every kind of effect (D-38, D-40)', () => {
  it.each<[string, readonly Effect[], string]>([
    ['a read inside the folder', [], 'allow allow allow allow allow'],
    ['a read outside the folder', [read], 'deny ask ask ask ask'],
    ['a change to a file', [write], 'deny ask allow allow allow'],
    ['a new file', [created], 'deny ask allow allow allow'],
    ['a deletion', [removal], 'deny ask ask ask allow'],
    ['a change to a control file', [control], 'deny ask ask ask ask'],
    ['a change to a file outside the folder', [away], 'deny ask ask ask ask'],
    ['a command', [run('npm test')], 'deny ask ask ask allow'],
    ['a destructive command', [run('rm -rf build', { destructive: true })], 'deny ask ask ask allow'],
    ['a command that may reach outside the folder', [run('rm -rf $UNSET/', { destructive: true })], 'deny ask ask ask ask'],
    ['a command that runs outside the folder', [run('ls', { cwd: '/tmp', outside: true })], 'deny ask ask ask ask'],
    ['a command that first returns to the folder', [run('cd /ws && npm test', { cwd: '/tmp', outside: true })], 'deny ask ask ask allow'],
    ['a command that does not stay in the folder', [run('cd /ws && cd .. && ls', { cwd: '/tmp', outside: true })], 'deny ask ask ask ask'],
    ['a command that writes a control file', [run('echo x > .git/hooks/x')], 'deny ask ask ask ask'],
    ['a command that writes outside the folder', [run('cp a ~/a')], 'deny ask ask ask ask'],
    ['network access', [network], 'deny ask ask ask ask'],
    ['an effect that cannot be shown', [unknown], 'deny ask ask ask ask'],
    ['a command that would ruin the folder', [run('rm -rf /ws', { destructive: true })], 'deny deny deny deny deny'],
    ['the strictest effect decides: allow and ask', [write, network], 'deny ask ask ask ask'],
    ['the strictest effect decides: ask and deny', [network, run('rm -rf ~')], 'deny deny deny deny deny'],
  ])('%s', (_, effects, verdicts) => {
    expect(kinds(...effects)).toBe(verdicts)
  })

  it('if a mode allows a call, the judgment names that mode', () => {
    expect(policy.judge([write], 'accept-edits')).toEqual({ kind: 'allow', by: { kind: 'mode', mode: 'accept-edits' } })
  })
})

describe('how a command runs on a machine with a sandbox', () => {
  const background = run('npm run dev', { way: 'background' })
  const shell = run('npm test', { way: 'shell' })
  const strict = createPolicy({ root: '/ws', home: '/home/ada', isSandboxRequired: true })

  it.each<[string, CommandEffect, boolean, string, string]>([
    ['a command', run('npm test'), false, 'copy copy copy copy real', 'copy copy copy copy copy'],
    ['a command of the persistent bash', shell, false, 'copy copy copy copy real', 'copy copy copy copy copy'],
    ['a command in the background', background, false, 'real real real confined real', 'confined confined confined confined confined'],
    [
      'a command for which no copy can be made',
      run('npm test'),
      true,
      'real real real confined real',
      'confined confined confined confined confined',
    ],
    [
      'a command that needs more than a copy',
      run('docker ps', { noCopy: 'docker needs more.' }),
      false,
      'real real real real real',
      'copy copy copy copy copy',
    ],
    ['the bash if no copy can be made', shell, true, 'real real real real real', 'real real real real real'],
  ])('%s', (_, command, cannotCopy, ways, required) => {
    const waysOf = (own: typeof policy): string =>
      MODES.map(
        (mode) => own.sandboxFor(command, mode, cannotCopy ? { reason: 'It has a mount.', mayConfine: true } : null) ?? 'real',
      ).join(' ')
    expect([waysOf(policy), waysOf(strict)]).toEqual([ways, required])
  })

  it.each<[string, readonly Effect[], string]>([
    ['a command that has not changed anything in its copy', [run('npm test', { sandbox: 'copy' })], 'allow allow allow allow allow'],
    ['a command that changed files in its copy', [run('npm test', { sandbox: 'copy' }), write], 'ask ask allow allow allow'],
    ['a command that deleted files in its copy', [run('npm test', { sandbox: 'copy' }), removal], 'ask ask allow allow allow'],
    ['a command that changed a control file in its copy', [run('npm test', { sandbox: 'copy' }), control], 'ask ask ask ask ask'],
    ['a confined command', [run('npm test', { sandbox: 'confined' })], 'deny ask ask allow allow'],
    ['a confined command that names a control file', [run('echo x > AGENTS.md', { sandbox: 'confined' })], 'deny ask ask ask ask'],
    [
      'a confined command that reaches a control file through a link',
      [run('echo x > l', { sandbox: 'confined', reaches: [{ shown: 'AGENTS.md', outside: false, control: true }] })],
      'deny ask ask ask ask',
    ],
    ['a confined command that deletes something', [run('rm -rf build', { sandbox: 'confined' })], 'deny ask ask ask allow'],
    ['a confined command that would ruin the folder', [run('rm -rf /ws', { sandbox: 'confined' })], 'deny deny deny deny deny'],
  ])('%s', (_, effects, verdicts) => {
    expect(kinds(...effects)).toBe(verdicts)
  })

  it('nothing runs for real in any mode if the sandbox is required', () => {
    for (const mode of MODES)
      expect(strict.judge([run('ls')], mode)).toMatchObject({ kind: 'deny', reason: expect.stringContaining('--sandbox require') })
    for (const mode of MODES) expect(strict.judge([run('ls', { sandbox: 'copy' })], mode).kind).toBe('allow')
    const ofSubagent = createPolicy({ root: '/ws', home: null, isSandboxRequired: true, isLayer: true })
    expect(ofSubagent.judge([run('ls')], 'ask')).toMatchObject({
      kind: 'deny',
      reason: expect.stringContaining('a layer over the project'),
    })
  })

  it('what changes only a layer needs no signature and is not said to be allowed by the mode', () => {
    const inLayer = createPolicy({ root: '/ws', home: null, isSandboxRequired: true, isLayer: true })
    expect(inLayer.judge([write], 'ask')).toEqual({ kind: 'allow', by: { kind: 'layer' } })
    expect(inLayer.judge([control], 'ask')).toEqual({ kind: 'allow', by: { kind: 'layer' } })
    expect(inLayer.judge([], 'ask')).toEqual({ kind: 'allow', by: { kind: 'mode', mode: 'ask' } })
    expect(inLayer.judge([write], 'plan').kind).toBe('deny')
  })
})

it('the table of modes in the README says what the code does', () => {
  const text = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')
  const written = [...text.matchAll(/^\s*\| `([\w-]+)`[^|]*\|(.*)\|$/gmu)].map(([, mode, cells = '']) => [
    mode,
    cells.split('|').map((cell) => cell.trim()),
  ])
  const cells = (mode: ApprovalMode): readonly string[] => {
    const { edits, deletions, copied, open, way, wayWithoutCopy } = MODE_TABLE[mode]
    return [
      edits === 'allow' ? `applied${deletions === 'ask' ? '; deletions ask' : ''}` : edits === 'ask' ? 'asks' : 'denied',
      way === 'open' ? '–' : 'runs',
      way === 'open' ? '–' : mode === 'plan' ? 'changes are dropped' : copied === 'allow' ? 'applied' : 'asks',
      wayWithoutCopy === 'confined' ? 'runs, confined to the folder' : open === 'deny' ? 'denied' : 'for real',
      open === 'allow' ? 'runs, with network' : open === 'ask' ? 'asks, unless it is proven to only read' : 'denied',
    ]
  }
  expect(written).toEqual(MODES.map((mode) => [mode, cells(mode)]))
})

describe('the sentences that the interface shows as reasons', () => {
  it.each<[readonly Effect[], ApprovalMode, string]>([
    [[write], 'ask', 'A change to a.ts needs your signature.'],
    [[created], 'ask', 'The new file a.ts needs your signature.'],
    [[...moved], 'ask', 'The move of a.ts to b.ts needs your signature.'],
    [[...moved], 'accept-edits', 'The move of a.ts to b.ts needs your signature.'],
    [[removal], 'accept-edits', 'The removal of a.ts needs your signature.'],
    [[control], 'full', '.git/config controls what runs or which instructions the agent gets, so it needs your signature in every mode.'],
    [[away], 'full', '/etc/x is outside the folder.'],
    [[read], 'ask', '/etc/x is outside the folder.'],
    [[run('npm test')], 'auto', 'No rule allows this command yet.'],
    [[run('ls', { cwd: '/tmp', outside: true })], 'full', 'The command runs in /tmp, outside the folder.'],
    [
      [run('cp x AGENTS.md')],
      'full',
      'The command may write AGENTS.md, which controls what runs or which instructions the agent gets, so it needs your signature in every mode.',
    ],
    [[run('cp a ~/a')], 'full', 'The command may change /home/ada/a, which is outside the folder.'],
    [[network], 'ask', 'This step reaches example.org over the network.'],
    [[unknown], 'ask', 'The effects of this step cannot be shown in advance.'],
    [[write, write, network], 'ask', 'A change to a.ts needs your signature. This step reaches example.org over the network.'],
  ])('%j in mode %s', (effects, mode, reason) => {
    expect(policy.judge(effects, mode)).toEqual({ kind: 'ask', reason, destructive: false })
  })

  it.each<[readonly Effect[], ApprovalMode, string]>([
    [[write], 'plan', 'Blocked in plan mode, which allows no changes: a change to a.ts.'],
    [[run('ls')], 'plan', 'Blocked in plan mode, in which commands run only in a copy of the folder.'],
    [[run('rm -rf ~')], 'full', 'Blocked in every mode: the command would remove the home folder.'],
  ])('%j in mode %s is denied', (effects, mode, reason) => {
    expect(policy.judge(effects, mode)).toEqual({ kind: 'deny', reason })
  })
})

it('C8: a command that is too long to check requires “Hold to sign” even in full mode, and the request gives its length', () => {
  const length = 200_000
  const reason =
    'The command has 200000 characters, which is too many to check. The command may delete data that cannot be restored. Hold to sign.'
  const long = run(`echo ${'a'.repeat(length - 5)}`)
  expect(policy.judge([long], 'full')).toEqual({ kind: 'ask', reason, destructive: true })
  expect(policy.judge([run(`echo ${'a'.repeat(100_000)}`)], 'full').kind).toBe('allow')
})

describe('destructive calls require “Hold to sign” (C20)', () => {
  it('no matter whether the tool or the policy detects them', () => {
    const reason = 'The command may delete data that cannot be restored. Hold to sign.'
    expect(policy.judge([run('custom', { destructive: true })], 'ask')).toEqual({ kind: 'ask', reason, destructive: true })
    expect(policy.judge([run('rm x')], 'ask')).toEqual({ kind: 'ask', reason, destructive: true })
  })
})
