import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { createPolicy } from '../../main/approval/policy.ts'
import type { Effect } from '../../shared/session/effects.ts'

const inFull = (command: string): string => {
  const effect: Effect = { kind: 'command', command, cwd: '/ws', outside: false, env: {}, timeoutMs: 1, destructive: false }
  return createPolicy({ root: '/ws', home: '/home/ada' }).judge([effect], 'full').kind
}

describe('escapes that bash and the parser read differently', () => {
  it.each([
    [String.raw`$'\x{2e}\x{2e}/x'`, '../x'],
    [String.raw`$'.\x{67}it/config'`, '.git/config'],
    [String.raw`$'a\cGb'`, 'a\u0007b'],
  ])('the file %s asks in full mode, because it is %j (X12)', (word, meaning) => {
    expect(execFileSync('bash', ['-c', `printf %s ${word}`], { encoding: 'utf8' })).toBe(meaning)
    expect([`echo x > ${word}`, `cp a ${word}`, `tee ${word}`].map(inFull)).toEqual(['ask', 'ask', 'ask'])
  })

  it('ordinary escapes do not ask', () => {
    expect(inFull(String.raw`echo x > $'a\x2eb'`)).toBe('allow')
  })
})
