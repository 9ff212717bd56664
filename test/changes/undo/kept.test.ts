import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hashOf } from '../../../main/agent/blob-hash.ts'
import { carryOut } from '../../../main/changes/undo/carry-out.ts'
import { createLocalExecutionEnvironment } from '../../../main/environment/local-environment.ts'
import type { BlobHash } from '../../../shared/lib/ids.ts'
import { checkpoint, checkpointArguments } from '../../driver/program/checkpoint.ts'
import { removeFolder } from '../../support/remove-folder.ts'
import { NO_SMALL_DISK, smallDisk } from '../../support/small-disk.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

function folder(): string {
  const made = temporaryFolder('kept')
  return made
}
const play = (cwd: string, ...steps: readonly object[]) =>
  checkpoint(cwd, checkpointArguments.parse({ steps, sandbox: 'off' }), new AbortController().signal)
const write = (path: string, content: string) => ({ write: { path, content } })

test('HEAD, refs and a dirty index are unchanged, even in a nested repository', async () => {
  const cwd = folder()
  const git = (at: string, ...args: readonly string[]): string => execFileSync('git', args, { cwd: at, encoding: 'utf8' })
  for (const at of [cwd, join(cwd, 'nested')]) {
    mkdirSync(at, { recursive: true })
    git(at, 'init', '-q')
    writeFileSync(join(at, 'kept'), '1\n')
    git(at, 'add', 'kept')
    git(at, '-c', 'user.name=n', '-c', 'user.email=e@example.com', 'commit', '-qm', 'first')
    writeFileSync(join(at, 'kept'), '2\n')
    git(at, 'add', 'kept')
  }
  const own = (): readonly Buffer[] =>
    [cwd, join(cwd, 'nested')].flatMap((at) => ['HEAD', 'index', 'logs/HEAD'].map((name) => readFileSync(join(at, '.git', name))))
  const before = own()
  const run = await play(cwd, write('kept', '3\n'), write('nested/kept', '3\n'), write('nested/new', 'n\n'), { restore: 0 })
  expect(run).toMatchObject({ ok: true, restored: ['kept', 'nested/kept'], deleted: ['nested/new'] })
  expect(own()).toEqual(before)
  expect([readFileSync(join(cwd, 'kept'), 'utf8'), readFileSync(join(cwd, 'nested/kept'), 'utf8')]).toEqual(['2\n', '2\n'])
})

test('changes that git made to its own files in a step are not undone', async () => {
  const cwd = folder()
  execFileSync('git', ['init', '-q'], { cwd })
  const run = await play(
    cwd,
    { shell: 'echo a > a; git add a; git -c user.name=n -c user.email=e@example.com commit -qm first' },
    { restore: 0 },
  )
  expect(run).toMatchObject({ deleted: ['a'] })
  expect(execFileSync('git', ['log', '--format=%s'], { cwd, encoding: 'utf8' })).toBe('first\n')
})

test('a link that replaced a file is replaced by the file, and the link’s target is unchanged', async () => {
  const cwd = folder()
  const outside = join(folder(), 'secret')
  writeFileSync(outside, 'outside\n')
  const run = await play(cwd, write('a', '1\n'), { shell: `rm a; ln -s ${outside} a` }, { restore: 1 })
  expect(run).toMatchObject({ ok: true, restored: ['a'], skipped: [] })
  expect(readFileSync(join(cwd, 'a'), 'utf8')).toBe('1\n')
  expect(readFileSync(outside, 'utf8')).toBe('outside\n')
})

test('a link whose target is not UTF-8 is never replaced, because it could not be recreated', async () => {
  const cwd = folder()
  const steps = [write('a', '1\n'), { shell: "ln -sf $'x\\xff' a" }, { restore: 0, anyway: true }]
  const run = await play(cwd, ...steps)
  expect(run).toMatchObject({ ok: false, deleted: [], skipped: [{ path: 'a', why: 'unreadable' }] })
  expect(readlinkSync(join(cwd, 'a'), 'buffer')).toEqual(Buffer.from([0x78, 0xff]))
})

test('a link is kept if the disk is too full for the file that it replaced', async ({ skip }) => {
  const disk = smallDisk(1)
  if (!disk) return skip(NO_SMALL_DISK)
  onTestFinished(() => disk.remove())
  writeFileSync(join(disk.path, 'a'), 'a'.repeat(300_000))
  const filled = { edit: { path: 'filled', content: 'f'.repeat(900_000) } }
  const run = await play(disk.path, { shell: 'rm a; ln -s b a' }, filled, { restore: 0 }, { remove: 'filled' })
  expect(run).toMatchObject({ ok: false, restored: [], skipped: [{ path: 'a', why: 'not-written' }] })
  expect(readdirSync(disk.path)).toEqual(['a'])
  expect(readlinkSync(join(disk.path, 'a'))).toBe('b')
})

test('a file that the user saves at the last moment is kept, even if the disk is full', async ({ skip }) => {
  const disk = smallDisk(1)
  if (!disk) return skip(NO_SMALL_DISK)
  onTestFinished(() => disk.remove())
  const path = join(disk.path, 'a')
  writeFileSync(path, 'old')
  const stored = new Map<BlobHash, Uint8Array>()
  const blobs = {
    put(bytes: Uint8Array): BlobHash {
      stored.set(hashOf(bytes), bytes)
      return hashOf(bytes)
    },
    putInSlices: async (bytes: Uint8Array): Promise<BlobHash> => blobs.put(bytes),
    getInSlices: async (hash: BlobHash): Promise<Uint8Array> => stored.get(hash) ?? new Uint8Array(),
  }
  const env = createLocalExecutionEnvironment(disk.path)
  let hasSaved = false
  const rename: typeof env.rename = async (from, to) => {
    if (!hasSaved) {
      hasSaved = true
      writeFileSync(path, 'mine'.repeat(100_000))
      expect(() => writeFileSync(join(disk.path, 'full'), 'f'.repeat(1_000_000))).toThrow('ENOSPC')
    }
    return env.rename(from, to)
  }
  const change = { path, shown: 'a', before: blobs.put(Buffer.from('old')), after: null, beforeBytes: 3, afterBytes: 0 }
  const file = { ...change, beforeMode: 0o644, afterMode: null, lines: { added: 0, removed: 1 } }
  const rollback = { rollbackId: 'undo_1', target: { kind: 'to', step: 0 }, files: [file], skipped: [], uncovered: [] } as const
  const done = await carryOut(rollback, { env: { ...env, rename }, blobs })
  expect(done).toMatchObject({ files: [], skipped: [{ path, why: 'changed-since' }] })
  expect(readdirSync(disk.path).toSorted()).toEqual(['a', 'full'])
  expect(readFileSync(path, 'utf8')).toBe('mine'.repeat(100_000))
})

test('the executable bit, unusual file names and binary contents are restored', async () => {
  const cwd = folder()
  const run = await play(
    cwd,
    { shell: String.raw`printf '#!/bin/sh\n' > run; chmod 755 run; printf 'x\n' > "a b\\c é"; printf '\000\377\r\n' > bytes` },
    { shell: String.raw`rm run bytes; printf 'y\n' > "a b\\c é"; chmod 600 "a b\\c é"` },
    { restore: 1 },
  )
  expect(run).toMatchObject({ ok: true, errors: [] })
  expect(execFileSync('stat', ['-c', '%a', 'run', 'a b\\c é'], { cwd, encoding: 'utf8' })).toBe('755\n644\n')
  expect(readFileSync(join(cwd, 'bytes'))).toEqual(Buffer.from([0, 0xff, 0x0d, 0x0a]))
  expect(existsSync(join(cwd, 'run'))).toBe(true)
})

test('permissions that a step changed are restored with the lines in conflict, unless later work changed them', async () => {
  const cwd = folder()
  const mode = (): string => execFileSync('stat', ['-c', '%a', 'a'], { cwd, encoding: 'utf8' }).trim()
  const steps = [{ edit: { path: 'a', content: 'one\n' } }, { shell: 'chmod 755 a; echo two > a' }, { shell: 'echo three > a' }]
  const undo = { undo: 1, conflicts: 'before' }
  expect(await play(cwd, ...steps, undo)).toMatchObject({ restored: ['a'], errors: [] })
  expect([mode(), readFileSync(join(cwd, 'a'), 'utf8')]).toEqual(['644', 'one\n'])
  expect(await play(cwd, ...steps, { shell: 'chmod 700 a' }, undo)).toMatchObject({ restored: ['a'], errors: [] })
  expect([mode(), readFileSync(join(cwd, 'a'), 'utf8')]).toEqual(['700', 'one\n'])
})

test('nothing is undone in another folder that has taken the place of the project, and the reason is given', async () => {
  const cwd = folder()
  const path = join(cwd, 'a')
  const text = Buffer.from('same\n')
  const env = createLocalExecutionEnvironment(cwd)
  await env.writeBytes(path, text)
  renameSync(cwd, `${cwd}-moved`)
  onTestFinished(() => removeFolder(`${cwd}-moved`))
  mkdirSync(cwd)
  writeFileSync(path, text)
  const sizes = { beforeBytes: text.length, afterBytes: 0, beforeMode: 0o644, afterMode: null, lines: { added: 0, removed: 1 } }
  const change = { path, shown: 'a', before: hashOf(text), after: null, ...sizes }
  const rollback = { rollbackId: 'undo_1', target: { kind: 'to', step: 0 }, files: [change], skipped: [], uncovered: [] } as const
  const blobs = { getInSlices: () => Promise.resolve(text), putInSlices: () => Promise.resolve(hashOf(text)) }
  const done = await carryOut(rollback, { env, blobs })
  expect(done).toMatchObject({ files: [], skipped: [{ shown: 'a', why: 'not-written' }] })
  expect(done.skipped[0]?.detail).not.toContain('.countersign-')
  expect(done.skipped[0]?.detail).toContain(cwd)
  expect(readFileSync(path, 'utf8')).toBe('same\n')
})
