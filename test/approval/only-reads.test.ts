import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createPolicy } from '../../main/approval/policy.ts'
import { READ_ONLY_PROGRAMS } from '../../main/approval/command-line/read-only-program.ts'
import type { CommandEffect } from '../../shared/session/effects.ts'
import type { ApprovalMode } from '../../shared/session/settings/approval-mode.ts'
import { commandEffect } from '../support/effects.ts'

const lines = (name: string): readonly string[] => JSON.parse(readFileSync(join(import.meta.dirname, 'lines', `${name}.json`), 'utf8'))
const policy = createPolicy({ root: '/ws', home: '/home/ada' })
const effect = commandEffect
const MODES = ['ask', 'accept-edits', 'auto'] as const

describe('a command that provably only reads runs without approval', () => {
  it.each(lines('reads'))('%s', (line) => {
    for (const mode of MODES) expect(policy.judge([effect(line)], mode)).toEqual({ kind: 'allow', by: { kind: 'mode', mode } })
    expect(policy.judge([effect(line)], 'plan').kind).toBe('deny')
  })
})

describe('every other command needs approval', () => {
  it.each(lines('not-proven'))('%j', (line) => {
    for (const mode of MODES) expect(policy.judge([effect(line)], mode).kind).not.toBe('allow')
  })

  it('even a command that only reads needs approval if it runs in another folder, in the background or with variables, or if it reaches a secret', () => {
    const changes: readonly Partial<CommandEffect>[] = [
      { cwd: '/other', outside: true },
      { way: 'background' },
      { env: { PATH: '.' } },
      { reaches: [{ shown: '/home/ada/.ssh/id_rsa', outside: true, control: false }] },
      { starts: ['core.fsmonitor'] },
    ]
    for (const more of changes) expect(policy.judge([effect('cat a.ts', more)], 'ask').kind).toBe('ask')
  })
})

describe('200 ordinary commands, without a sandbox', () => {
  const ordinary: { readonly reads: readonly string[]; readonly changes: readonly string[] } = JSON.parse(
    readFileSync(join(import.meta.dirname, 'lines', 'ordinary.json'), 'utf8'),
  )
  const asking = (some: readonly string[], mode: ApprovalMode): readonly string[] =>
    some.filter((line) => policy.judge([effect(line)], mode).kind !== 'allow')

  it.each(MODES)('in %s mode, at most 30 % of the read-only commands need approval, and all commands that are not read-only do', (mode) => {
    expect(ordinary.reads.length + ordinary.changes.length).toBeGreaterThanOrEqual(200)
    expect(asking(ordinary.reads, mode).length / ordinary.reads.length).toBeLessThanOrEqual(0.3)
    expect(asking(ordinary.changes, mode)).toEqual(ordinary.changes)
  })

  it('full mode requires approval for only two of the read-only commands', () => {
    expect(asking(ordinary.reads, 'full')).toEqual(['wc -l $(git ls-files)', `node -p "require('./package.json').version"`])
  })
})

it('every program in the table cites a manual as its source', () => {
  for (const [name, { source, operands }] of READ_ONLY_PROGRAMS) {
    expect(source, name).not.toBe('')
    expect(operands, name).toMatch(/^(?:none|path|paths|texts|text\+paths|plain-paths|sed|awk|jq|printf|format|letters)$/u)
  }
})
