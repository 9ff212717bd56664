import { describe, expect, it } from 'vitest'
import { batchKind, batchOf, batchWords, signingTogether } from '../../../../renderer/features/tray/batch/batch-kind.ts'
import type { Signing } from '../../../../renderer/state/stores/approval-desk.ts'
import type { ApprovalId, BlobHash } from '../../../../shared/lib/ids.ts'
import type { CommandEffect, Effect } from '../../../../shared/session/effects.ts'
import type { CallItem } from '../../../../shared/session/state.ts'

const place = { path: '/p/a', shown: 'a', outside: false, control: false }
const sizes = { beforeBytes: 0, afterBytes: 1, lines: null }
const write: Effect = { kind: 'write', ...place, before: null, after: 'h' as BlobHash, ...sizes }
const command: CommandEffect = { kind: 'command', command: 'x', cwd: '/p', outside: false, env: {}, timeoutMs: 1, destructive: false }
const read: Effect = { kind: 'read', ...place, outside: true }
const network: Effect = { kind: 'network', url: 'https://a.example/', host: 'a.example' }

function request(effects: readonly Effect[], id = 'one', destructive = false): CallItem {
  const approval = { approvalId: id as ApprovalId, hash: 'h', reason: '', destructive, requestedAt: 0, answeredAt: null, answer: null }
  return { kind: 'call', id, effects, approval } as unknown as CallItem
}

describe('which requests may be signed together', () => {
  it.each([
    ['an edit', [write], 'edit'],
    ['the changes of a command in its copy', [{ ...command, sandbox: 'copy' }, write], 'copy'],
    ['a read outside the folder', [read], 'read'],
    ['a request to the network', [network], 'network'],
    ['a command outside a copy', [command], null],
    ['a real command that also lists a file', [command, write], null],
    ['a control file', [{ ...write, control: true }], null],
    [
      'a control file changed in a copy',
      [
        { ...command, sandbox: 'copy' },
        { ...write, control: true },
      ],
      null,
    ],
    ['a secret that is read', [{ ...read, control: true }], null],
    ['a file outside the folder', [{ ...write, outside: true }], null],
    ['a plan', [{ kind: 'mode', to: 'ask', plan: 'x' }], null],
    ['a tool with unknown effects', [{ kind: 'unknown', summary: 'x' }], null],
    ['a read together with a network request', [read, network], null],
  ] as const)('%s: %#', (_, effects, kind) => {
    expect(batchKind(request(effects as readonly Effect[]))).toBe(kind)
    expect(batchKind(request(effects as readonly Effect[], 'one', true))).toBeNull()
  })

  it('a batch contains all requests of the current kind, in order, and is empty for a single request', () => {
    const a = request([write], 'a')
    const b = request([command], 'b')
    const c = request([write], 'c')
    expect(batchOf(c, [a, b, c])).toEqual([a, c])
    expect(batchOf(b, [a, b, c])).toEqual([])
    expect(batchOf(a, [a, b])).toEqual([])
  })
})

it.each([
  ['changes of 2 commands', ['shell', 'shell']],
  ['changes of 2 subagents', ['task', 'spawn_agent']],
  ['changes of 2 commands and subagents', ['shell', 'task']],
] as const)('says who made the changes that are signed together: %s', (words, tools) => {
  const calls = tools.map((toolName) => ({ ...request([write]), toolName }))
  expect(batchWords('copy', calls)).toBe(words)
})

it('a batch is armed only while all its requests are armed and visible', () => {
  const calls = [request([write], 'a'), request([write], 'b')]
  const state = (a: Signing['kind'], b: Signing['kind'] | null, sees = true) => {
    const of = (kind: Signing['kind']) => ({ kind, note: null }) as Signing
    const signings = new Map([['a', of(a)] as const, ...(b ? [['b', of(b)] as const] : [])])
    return signingTogether(calls, signings as unknown as ReadonlyMap<ApprovalId, Signing>, sees).kind
  }
  expect([state('armed', 'armed'), state('armed', null), state('armed', 'arming'), state('armed', 'armed', false)]).toEqual([
    'armed',
    'unseen',
    'arming',
    'arming',
  ])
  expect([state('sending', 'armed'), state('answered', 'armed')]).toEqual(['sending', 'arming'])
})
