import { describe, expect, test } from 'vitest'
import { OPS } from './program/ops.ts'

const check = async (args: object): Promise<unknown> => OPS['policy_check']?.(args, '/ws')

describe('policy_check', () => {
  test.each<[object, string]>([
    [{ command: 'git status && ls | head' }, 'allow'],
    [{ command: 'npm test' }, 'ask'],
    [{ command: 'npm test', mode: 'full' }, 'allow'],
    [{ command: 'npm test', mode: 'plan' }, 'deny'],
    [{ command: 'npm test', sandbox: true }, 'allow'],
    [{ command: 'rm -rf /', sandbox: true }, 'deny'],
    [{ command: 'docker compose down', sandbox: true }, 'ask'],
    [{ command: 'docker compose down', sandbox: true, mode: 'plan' }, 'deny'],
    [{ command: 'rm -rf ~', mode: 'full' }, 'deny'],
    [{ argv: ['cat', 'a b.txt'] }, 'allow'],
    [{ argv: ['cat', '$(rm x)'] }, 'allow'],
    [{ argv: ['rm', '-rf', '/ws'] }, 'deny'],
    [{ tool: 'shell', toolArgs: { command: 'ls' } }, 'allow'],
    [{ command: 'ls', shell: 'powershell' }, 'ask'],
    [{ command: 'ls', platform: 'win32', shell: 'cmd', mode: 'full' }, 'ask'],
    [{ command: 'npm test', rules: [{ answer: 'allow', when: { kind: 'command', pattern: 'npm:*' } }] }, 'allow'],
    [{ command: 'ls', rules: [{ answer: 'deny', when: { kind: 'command', pattern: 'ls' } }], sandbox: true }, 'deny'],
  ])('%j: %s', async (args, decision) => {
    expect(await check(args)).toMatchObject({ decision })
  })

  test('lists the commands of a line, even in a substitution, with the reasons', async () => {
    expect(await check({ command: 'npm test && echo $(git push)' })).toEqual({
      decision: 'ask',
      commands: ['npm test', 'git push', 'echo $(git push)'],
      reasons: ['No rule allows this command yet.'],
    })
    expect(await check({ command: 'echo "' })).toMatchObject({ decision: 'ask', commands: [] })
  })

  test('says which arguments are missing', async () => {
    await expect(check({})).rejects.toThrow('Pass `command`, `argv`, or `tool` with `toolArgs.command`.')
    await expect(check({ command: 'ls', mode: 'never' })).rejects.toThrow('mode')
  })
})
