import { hash } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import type { BlobStore } from '../../main/agent/ports/blob-store.ts'
import { StorageError } from '../../main/agent/storage-error.ts'
import { captureFiles } from '../../main/changes/capture-files.ts'
import { createFolderComparison } from '../../main/environment/comparison/folder-comparison.ts'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import { BlobHash } from '../../shared/lib/ids.ts'
import type { Effect } from '../../shared/session/effects.ts'

let root: string
let blobs: BlobStore & { readonly texts: () => readonly string[] }
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-capture-')))
  const stored = new Map<string, Uint8Array>()
  blobs = {
    put(bytes) {
      stored.set(hash('sha256', bytes), bytes)
      return BlobHash.parse(hash('sha256', bytes))
    },
    get: (key) => stored.get(key) ?? new Uint8Array(0),
    has: (key) => stored.has(key),
    putInSlices: async (bytes) => blobs.put(bytes),
    getInSlices: async (key) => blobs.get(key),
    texts: () => [...stored.values()].map((bytes) => Buffer.from(bytes).toString()),
  }
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const at = (name: string): string => join(root, name)
const named = (name: string): Effect => ({
  kind: 'write',
  path: at(name),
  shown: name,
  outside: false,
  control: false,
  before: null,
  after: BlobHash.parse('0'.repeat(64)),
  beforeBytes: 0,
  afterBytes: 0,
  lines: null,
})
const removal = (name: string): Effect => ({
  kind: 'delete',
  path: at(name),
  shown: name,
  outside: false,
  control: false,
  before: BlobHash.parse('0'.repeat(64)),
  beforeBytes: 0,
})
/** A capture in which every file could be read. */
const only = <T>(files: readonly T[]) => ({ files, folders: [], unread: [] })
const begin = (...effects: readonly Effect[]) => captureFiles({ env: createLocalExecutionEnvironment(root), blobs }, effects)

it('stores the old and new bytes of every named file that a step changes', async () => {
  writeFileSync(at('changed'), 'one\ntwo\n')
  writeFileSync(at('same'), 'same\n')
  writeFileSync(at('gone'), 'gone\n')
  chmodSync(at('changed'), 0o640)
  chmodSync(at('gone'), 0o600)
  const capture = await begin(named('changed'), named('same'), named('made'), removal('gone'))
  writeFileSync(at('changed'), 'one\nthree\nfour\n')
  writeFileSync(at('made'), 'new\n', { mode: 0o644 })
  chmodSync(at('made'), 0o755)
  unlinkSync(at('gone'))
  expect(await capture.changes()).toEqual(
    only([
      {
        path: at('changed'),
        shown: 'changed',
        before: hash('sha256', 'one\ntwo\n'),
        after: hash('sha256', 'one\nthree\nfour\n'),
        beforeBytes: 8,
        afterBytes: 15,
        beforeMode: 0o640,
        afterMode: 0o640,
        lines: { added: 2, removed: 1 },
      },
      {
        path: at('made'),
        shown: 'made',
        before: null,
        after: hash('sha256', 'new\n'),
        beforeBytes: 0,
        afterBytes: 4,
        beforeMode: null,
        afterMode: 0o755,
        lines: { added: 1, removed: 0 },
      },
      {
        path: at('gone'),
        shown: 'gone',
        before: hash('sha256', 'gone\n'),
        after: null,
        beforeBytes: 5,
        afterBytes: 0,
        beforeMode: 0o600,
        afterMode: null,
        lines: { added: 0, removed: 1 },
      },
    ]),
  )
  expect(blobs.texts().toSorted()).toEqual(['gone\n', 'new\n', 'one\nthree\nfour\n', 'one\ntwo\n', 'same\n'])
})

it('the old bytes are stored before the step starts, so that a crash loses none', async () => {
  writeFileSync(at('a'), 'precious')
  await begin(named('a'))
  expect(blobs.texts()).toEqual(['precious'])
})

it('if a step fails halfway, the changes made up to that point are captured', async () => {
  const capture = await begin(named('first'), named('second'))
  writeFileSync(at('first'), 'x')
  expect((await capture.changes()).files.map((change) => change.shown)).toEqual(['first'])
})

it('if only a file’s mode bits change, no changed lines are counted', async () => {
  writeFileSync(at('run'), 'x')
  chmodSync(at('run'), 0o644)
  const capture = await begin(named('run'))
  chmodSync(at('run'), 0o755)
  expect(await capture.changes()).toMatchObject(only([{ beforeMode: 0o644, afterMode: 0o755, lines: { added: 0, removed: 0 } }]))
})

it('no line changes are counted for a file that is not text', async () => {
  writeFileSync(at('bin'), 'a\0b')
  const capture = await begin(named('bin'))
  writeFileSync(at('bin'), 'a\0c')
  expect(await capture.changes()).toMatchObject(only([{ lines: null, beforeBytes: 3, afterBytes: 3 }]))
})

it('if the capture before a step fails, the step does not run; if the capture after it fails, its files are reported with the reason', async () => {
  mkdirSync(at('folder'))
  await expect(begin(named('folder'))).rejects.toMatchObject({ code: 'EISDIR' })
  const capture = await begin(named('later'))
  mkdirSync(at('later'))
  const [unread] = (await capture.changes()).unread
  expect(unread).toEqual({ path: at('later'), shown: 'later', why: expect.stringContaining('folder') })
})

it('if the store refuses a file’s bytes after a step, the file is reported, and other files are still captured', async () => {
  const full = new StorageError({ code: 'storage_full', what: 'The disk is full.', kept: '', todo: '' })
  const capture = await begin(named('first'), named('second'))
  writeFileSync(at('first'), 'x')
  writeFileSync(at('second'), 'y')
  const { put } = blobs
  blobs.put = (bytes) => {
    if (Buffer.from(bytes).toString() === 'x') throw full
    return put(bytes)
  }
  const { files, unread } = await capture.changes()
  expect([files.map(({ shown }) => shown), unread]).toEqual([['second'], [{ path: at('first'), shown: 'first', why: 'The disk is full.' }]])
})

const command = { kind: 'command', command: 'touch x', cwd: '/', outside: false, env: {}, timeoutMs: 1, destructive: false } as const

it('without a folder comparison, the file changes of a command that runs for real are not found', async () => {
  const capture = await begin(command)
  writeFileSync(at('x'), readFileSync('/dev/null'))
  expect(await capture.changes()).toEqual({ ...only([]), madeBy: { command: 'touch x' } })
})

it('changes of a command that ran for real are found by comparing the folder, and stored', async () => {
  const comparison = createFolderComparison(root)
  onTestFinished(() => comparison.dispose())
  const parts = { env: createLocalExecutionEnvironment(root), blobs, compared: { folder: root, comparison } }
  writeFileSync(at('a'), 'one\ntwo\n')
  const capture = await captureFiles(parts, [command])
  const copied = await captureFiles(parts, [{ ...command, sandbox: 'copy' }])
  writeFileSync(at('a'), 'one\nTWO\nthree\n')
  writeFileSync(at('new'), 'new\n')
  expect(await copied.changes()).toEqual({ ...only([]), madeBy: { command: 'touch x' } })
  const { files, unread, madeBy } = await capture.changes()
  expect(files.map(({ path, shown, before, lines }) => [path, shown, before === null, lines])).toEqual([
    [at('a'), 'a', false, { added: 2, removed: 1 }],
    [at('new'), 'new', true, { added: 1, removed: 0 }],
  ])
  expect(files.map(({ after }) => after && Buffer.from(blobs.get(after)).toString())).toEqual(['one\nTWO\nthree\n', 'new\n'])
  expect([unread, madeBy]).toEqual([[], { command: 'touch x', compared: { files: 2, leftOut: [] } }])
})

it('a move is one change at the new location, unless half of the move failed', async () => {
  for (const name of ['a', 'c']) writeFileSync(at(name), 'one\ntwo\n')
  const moved = (to: string, from: string): Effect => ({ ...named(to), movedFrom: { path: at(from), shown: from } }) as Effect
  const captured = await begin(removal('a'), moved('b', 'a'), removal('c'), moved('d', 'c'))
  unlinkSync(at('a'))
  writeFileSync(at('b'), 'one\n2\n')
  writeFileSync(at('d'), 'one\ntwo\n')
  const { files } = await captured.changes()
  expect(files.map(({ shown, movedFrom, lines }) => [shown, movedFrom?.shown, lines])).toEqual([
    ['a', undefined, { added: 0, removed: 0 }],
    ['b', 'a', { added: 1, removed: 1 }],
    ['d', undefined, { added: 2, removed: 0 }],
  ])
})
