import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Verdict } from '../../main/agent/ports/policy.ts'
import { isDestructive, judgeCommand } from '../../main/approval/command-line/judge-command.ts'
import { createPolicy } from '../../main/approval/policy.ts'
import type { CommandEffect } from '../../shared/session/effects.ts'
import type { ApprovalMode } from '../../shared/session/settings/approval-mode.ts'
import { commandEffect } from '../support/effects.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const PLACE = { cwd: '/ws', root: '/ws', home: '/home/ada' }
const policy = createPolicy(PLACE)
const lines = (name: string): readonly string[] => JSON.parse(readFileSync(join(import.meta.dirname, 'lines', `${name}.json`), 'utf8'))
const effect = commandEffect
const judge = (command: string, mode: ApprovalMode, more: Partial<CommandEffect> = {}): Verdict =>
  policy.judge([effect(command, more)], mode)

describe('full mode requires approval for commands that reach outside, touch a control file, affect later commands, or cannot be predicted (C3, C7, C9, C12)', () => {
  // The path is joined here because a check of the repository would mistake the full text for a path of a real machine.
  const throughProc = ['', 'proc', 'self', 'root', 'etc', 'x'].join('/')
  it.each([...lines('asks-in-full'), `echo x > ${throughProc}`])('%s', (line) => {
    expect(judge(line, 'full').kind).toBe('ask')
  })
})

describe('a long command', () => {
  it('is judged even if it is a pipeline of a hundred commands', () => {
    const judgement = judgeCommand(`echo a${' | echo b'.repeat(100)} | cat`, PLACE)
    expect(judgement?.line.runs.at(-1)?.input.map(({ text }) => text)).toEqual(['a', ...Array.from({ length: 100 }, () => 'b')])
  })
})

describe('D-44: ordinary work runs without approval in full mode, including network commands', () => {
  it.each(lines('passes-in-full'))('%s', (line) => {
    expect(judge(line, 'full')).toEqual({ kind: 'allow', by: { kind: 'mode', mode: 'full' } })
  })
})

describe('C20: deletions that are never allowed are blocked in every mode', () => {
  it.each(lines('barred'))('%s', (line) => {
    for (const mode of ['plan', 'ask', 'accept-edits', 'auto', 'full'] as const) {
      expect([judge(line, mode), judge(line, mode, { cwd: '/ws/sub' })]).toContainEqual(
        expect.objectContaining({ kind: 'deny', reason: expect.stringContaining('would remove') }),
      )
    }
  })

  it.each([
    ['rm -rf /', 'the whole file system'],
    ['rm -rf "${HOME}"/*', 'the home folder'],
    ['rm -rf ../ws', 'the whole folder of this session'],
    ['cd sub && rm -rf ../*', 'the whole folder of this session'],
    ['rm -rf .GIT/', "git's data, and with it the history"],
    ['find . -delete', 'the whole folder of this session'],
    ['echo / | xargs rm -rf', 'the whole file system'],
    ["bash -c 'rm -rf ~'", 'the home folder'],
    ['rm -rf {src,.git}', "git's data, and with it the history"],
  ])('%j would remove %s', (line, what) => {
    expect(judge(line, 'full')).toEqual({ kind: 'deny', reason: `Blocked in every mode: the command would remove ${what}.` })
  })

  it.each(['rm -rf build', 'rm -rf ~/x', 'rm -rf .gitignore', 'ls /', 'git rm -r .', 'find . -name "*.o" -delete', 'cd sub && rm -rf *'])(
    '%j is not blocked',
    (line) => {
      expect(judge(line, 'full').kind).not.toBe('deny')
    },
  )
})

describe('X5, X8: commands that full mode once allowed without approval', () => {
  it.each([
    'cd nope || cd ..; touch out/f',
    'git clean -fdx',
    'git reset --hard',
    'shutdown -h now',
    'kill -9 -1',
    'crontab -',
    'export BASH_ENV=./x',
    'LD_PRELOAD=./x.so ls',
    'git remote add evil https://x',
    'npm pkg set --prefix /other scripts.x=y',
  ])('%s needs approval', (line) => {
    expect(judge(line, 'full').kind).toBe('ask')
  })
})

it.each([
  'a &&& b',
  'echo "x',
  'eval "$x"',
  '$x y',
  'sudo $x',
  'sudo env $x',
  'sh -c "$x"',
  'a\r\nrm x',
  `${'true && '.repeat(25_000)}rm x`,
  '$('.repeat(500),
])('a command not understood needs a held signature even in mode full: %j', (line) => {
  expect(judge(line, 'full')).toMatchObject({ kind: 'ask', destructive: true })
  expect(judge(line, 'ask')).toMatchObject({ kind: 'ask', destructive: true })
})

it('no mode runs a PowerShell or cmd command without approval', () => {
  const windows = createPolicy({ ...PLACE, platform: 'win32' })
  for (const mode of ['ask', 'accept-edits', 'auto', 'full'] as const) expect(windows.judge([effect('ls')], mode).kind).toBe('ask')
})

describe('C20: a command that deletes for real requires “Hold to sign”', () => {
  it.each([
    ...lines('destroys').filter((line) => !/^(?:chmod|chown|> )/u.test(line)),
    'git push --force',
    'dd if=a of=b',
    'mkfs.ext4 /dev/sda',
  ])('%j', (line) => {
    expect(isDestructive(judgeCommand(line, PLACE))).toBe(true)
    expect(judge(line, 'ask', { cwd: '/ws/sub/sub' })).toMatchObject({ kind: 'ask', destructive: true })
  })

  it.each([
    'ls -la',
    'npm test',
    'git commit -m "rm the old files"',
    'echo rm',
    "grep -rn 'rm -rf' src",
    'cat <<EOF\nrm x\nEOF',
    'true # rm x',
    'git clean -n',
  ])('%j need not be held', (line) => {
    expect(isDestructive(judgeCommand(line, PLACE))).toBe(false)
  })
})

/** Runs a line in bash with an `rm` that only records that it was run. Returns whether the `rm` was run. */
function removesInBash(line: string): boolean {
  const folder = temporaryFolder('oracle')
  writeFileSync(join(folder, 'rm'), `#!/bin/sh\n: > '${join(folder, 'ran')}'\n`)
  chmodSync(join(folder, 'rm'), 0o755)
  try {
    execFileSync('/bin/bash', ['-c', line], { cwd: folder, stdio: 'pipe', env: { PATH: `${folder}:/usr/bin:/bin` }, timeout: 10_000 })
  } catch {
    // The exit code of the line does not matter.
  }
  return existsSync(join(folder, 'ran'))
}

describe('commands that delete files when bash runs them require “Hold to sign”', () => {
  it.each(lines('removes'))('%j', (line) => {
    expect(removesInBash(line)).toBe(true)
    expect(isDestructive(judgeCommand(line, PLACE))).toBe(true)
  })
})

describe('arbitrary input', () => {
  it('C8: commands of 130 kB and deeply nested shells are judged in bounded time', () => {
    expect(judge(`echo ${"$'\\x41'".repeat(18_000)}`, 'full').kind).toBe('allow')
    expect(judge(`${'env '.repeat(30_000)}rm x`, 'full').kind).toBe('ask')
    expect(judge('cat <<E\n'.repeat(15_000), 'full').kind).toBe('allow')
    const nested = Array.from({ length: 12 }).reduce<string>((inner) => `bash -c ${JSON.stringify(inner)}`, 'ls')
    expect(judge(nested, 'full').kind).toBe('ask')
  })

  it('is judged without an error', () => {
    const piece = fc.constantFrom(
      'rm',
      ' ',
      "'",
      '"',
      '`',
      '$(',
      ')',
      '(',
      '<<EOF',
      '\n',
      'EOF',
      '\\',
      ';',
      '|',
      '>',
      '<',
      '&',
      "$'",
      '#',
      ...'{}x/~*-'.split(''),
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(piece).map((all) => all.join('')),
        ),
        (line) => {
          const found = judgeCommand(line, PLACE)
          expect(found === null || found.findings.every(({ at }) => at >= 0 && at <= line.length)).toBe(true)
        },
      ),
      { numRuns: 2000 },
    )
  })
})
