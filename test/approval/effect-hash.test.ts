import { expect, it } from 'vitest'
import { effectHash } from '../../main/approval/effect-hash.ts'
import { BlobHash } from '../../shared/lib/ids.ts'
import type { CommandEffect, Effect, WriteEffect } from '../../shared/session/effects.ts'

const blob = (digit: string): BlobHash => BlobHash.parse(digit.repeat(64))
const place = { path: '/ws/a', shown: 'a', outside: false, control: false }
const write: WriteEffect = {
  kind: 'write',
  ...place,
  before: blob('1'),
  after: blob('2'),
  beforeBytes: 1,
  afterBytes: 2,
  lines: { added: 1, removed: 1 },
}
const run: CommandEffect = {
  kind: 'command',
  command: 'ls',
  cwd: '/ws',
  outside: false,
  env: { A: '1', B: '2' },
  timeoutMs: 10_000,
  destructive: false,
}

it('rule 5: the hash differs if anything that is executed or written differs', () => {
  const others: readonly (readonly Effect[])[] = [
    [],
    [write],
    [run],
    [write, run],
    [run, write],
    [write, write],
    [{ ...write, path: '/ws/b' }],
    [{ ...write, path: '/ws/e\u0301' }],
    [{ ...write, path: '/ws/é' }],
    [{ ...write, before: null }],
    [{ ...write, before: blob('3') }],
    [{ ...write, after: blob('3') }],
    [{ ...run, command: 'ls ' }],
    [{ ...run, command: 'ls\u200b' }],
    [{ ...run, cwd: '/ws/sub' }],
    [{ ...run, env: { A: '1' } }],
    [{ ...run, env: { A: '1', B: '3' } }],
    [{ ...run, env: { 'A","1': '', B: '2' } }],
    [{ ...run, timeoutMs: 20_000 }],
    [{ ...run, reaches: [{ shown: '/etc/a', outside: true, control: false }] }],
    [{ ...run, reaches: [{ shown: '/etc/b', outside: true, control: false }] }],
    [{ ...run, starts: ['core.fsmonitor'] }],
    [{ ...run, executes: [{ path: '/ws/a.sh', shown: 'a.sh', hash: '1' }] }],
    [{ ...run, executes: [{ path: '/ws/a.sh', shown: 'a.sh', hash: '2' }] }],
    [{ ...run, executes: [{ path: '/ws/b.sh', shown: 'a.sh', hash: '1' }] }],
    [{ ...run, sandbox: 'copy' }],
    [{ ...run, sandbox: 'confined' }],
    [{ ...run, sandbox: 'copy', changeSet: blob('1') }],
    [{ ...run, sandbox: 'copy', changeSet: blob('2') }],
    [{ ...write, mode: 0o755 }],
    [{ kind: 'permissions', ...place, before: 0o644, after: 0o755 }],
    [{ kind: 'permissions', ...place, before: 0o644, after: 0o700 }],
    [{ kind: 'link', ...place, before: null, after: 'b' }],
    [{ kind: 'link', ...place, before: null, after: 'c' }],
    [{ kind: 'folder', ...place, change: 'created' }],
    [{ kind: 'folder', ...place, change: 'deleted' }],
    [{ kind: 'folder', ...place, change: 'created', tree: { files: 1, bytes: 1, hash: 'x' } }],
    [{ kind: 'delete', ...place, before: blob('1'), beforeBytes: 1 }],
    [{ kind: 'read', path: '/ws/a', shown: 'a', outside: true, control: false }],
    [{ kind: 'network', url: 'https://a/x', host: 'a' }],
    [{ kind: 'network', url: 'https://a/y', host: 'a' }],
    [{ kind: 'unknown', summary: 'x' }],
    [{ kind: 'unknown', summary: 'y' }],
  ]
  const hashes = others.map(effectHash)
  expect(new Set(hashes).size).toBe(others.length)
  for (const hash of hashes) expect(hash).toMatch(/^[0-9a-f]{64}$/u)
})

it('display-only fields and the order of variables do not change the hash', () => {
  expect(effectHash([{ ...write, shown: '/ws/a', lines: null, beforeBytes: 9 }])).toBe(effectHash([write]))
  expect(effectHash([{ ...run, env: { B: '2', A: '1' }, destructive: true }])).toBe(effectHash([run]))
})
