import { describe, expect, it } from 'vitest'
import { ignoredPlaces, type NextChoice, nextRules } from '../../../shared/rules/next-time-rules.ts'
import { SessionId } from '../../../shared/lib/ids.ts'
import type { Effect } from '../../../shared/session/effects.ts'
import type { CallItem } from '../../../shared/session/state.ts'

const PLACE = { sessionId: SessionId.parse('s'), folder: '/ws' }

function callOf(
  command: string,
  { copied = true, destructive = false, changes = [] as readonly object[], parts = [] as readonly string[] } = {},
): CallItem {
  const effect = {
    kind: 'command',
    command,
    cwd: '/ws',
    outside: false,
    env: {},
    timeoutMs: 1,
    destructive,
    ...(copied && { sandbox: 'copy' }),
    ...(parts.length > 0 && { parts: parts.map((text) => ({ operator: '', text })) }),
  }
  return { effects: [effect, ...changes] as readonly Effect[], approval: null } as unknown as CallItem
}

const made = (choice: NextChoice, call: CallItem) =>
  nextRules(choice, call, PLACE).rules.map(({ when, where }) => `${where.kind} ${when.kind} ${when.pattern}`)
const write = (path: string, more: object = {}): object => ({ kind: 'write', path, shown: path, control: false, outside: false, ...more })

describe('rules for the next time', () => {
  it.each<[NextChoice, readonly string[]]>([
    ['ask', []],
    ['session', ['session command npm test']],
    ['project', ['project command npm test']],
    ['always', ['always command npm test']],
  ])('the choice %s makes %j', (choice, rules) => expect(made(choice, callOf('npm test'))).toEqual(rules))

  it('say how the command may run', () => {
    const ways = (choice: NextChoice, call: CallItem) => nextRules(choice, call, PLACE).rules.map(({ when }) => when)
    const command = { kind: 'command', pattern: 'npm test' }
    for (const way of ['confined', 'open'] as const) expect(ways(way, callOf('npm test'))).toEqual([{ ...command, way }])
    expect(ways('project', callOf('npm test'))).toEqual([{ ...command, inCopy: true }])
    expect(ways('project', callOf('npm test', { copied: false }))).toEqual([command])
  })

  it('are made for a destructive command only if it runs in a copy', () => {
    const call = callOf('rm -rf dist', { destructive: true })
    expect(made('project', call)).toEqual(['project command rm -rf dist'])
    const refused = { rules: [], reason: expect.stringContaining('may delete data') }
    for (const way of ['confined', 'open'] as const) expect(nextRules(way, call, PLACE)).toEqual(refused)
    expect(nextRules('project', callOf('rm -rf dist', { destructive: true, copied: false }), PLACE)).toEqual(refused)
  })

  it('are made for each command of a line', () => {
    const call = callOf('npm ci && npm test; npm ci', { parts: ['npm ci', 'npm test', 'npm ci'] })
    expect(made('each', call)).toEqual(['project command npm ci', 'project command npm test'])
  })

  it('are made for each ignored place, if all changes are in ignored places', () => {
    const changes = [
      write('/ws/dist/a', { ignored: '/dist' }),
      write('/ws/dist/b', { ignored: '/dist' }),
      write('/ws/c.log', { ignored: '/c.log' }),
    ]
    expect(made('ignored', callOf('npm run build', { changes }))).toEqual(['project path /dist', 'project path /c.log'])
  })

  it.each([
    ['one changed file is not ignored', [write('/ws/dist/a', { ignored: '/dist' }), write('/ws/b')]],
    ['one ignored file is a control file', [write('/ws/dist/package.json', { ignored: '/dist', control: true })]],
    ['nothing has changed', []],
  ])('are not offered for ignored places if %s', (_, changes) => {
    expect(ignoredPlaces(callOf('npm run build', { changes }).effects)).toBeNull()
  })

  it.each([
    'sudo npm test',
    '/usr/bin/sudo npm test',
    'env A=b npm test',
    "bash -c 'npm test'",
    'cd x && sh -ec "npm test"',
    'npm\u200b test',
    'npm test \u202egpj.exe',
    'ls *',
    'x'.repeat(2001),
  ])('are not made for %s', (command) => {
    for (const choice of ['session', 'project', 'always', 'open'] as const)
      expect(nextRules(choice, callOf(command), PLACE)).toEqual({ rules: [], reason: expect.stringMatching(/rule/u) })
  })

  it.each(['sh build.sh', 'npm run environment', 'echo sudo-less'])('are made for %s', (command) => {
    expect(made('project', callOf(command))).toEqual([`project command ${command}`])
  })

  it('are made only for the whole line, not for each of its commands, if the line has quotes or redirects', () => {
    const call = callOf('echo "a b" > x && npm test', { parts: ['echo "a b" > x', 'npm test'] })
    expect(nextRules('each', call, PLACE)).toEqual({ rules: [], reason: expect.stringContaining('plain words') })
    expect(made('project', call)).toHaveLength(1)
  })
})
