import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, linkSync, readdirSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { removeTempFiles } from '../../main/environment/end-leftovers.ts'
import { createFolderSyncs } from '../../main/environment/files/fsync-folders.ts'
import { asNobody } from './as-nobody.ts'
import { patchBench, patchOf } from './patch-bench.ts'

const { bench, at, put, now, apply } = patchBench()
const NUMBERS = Array.from({ length: 200 }, (_, n) => n)
const nameOf = (n: number): string => `d${n % 7}/f${n}.txt`
const update = (n: number): readonly string[] => [`*** Update File: ${nameOf(n)}`, `-old ${n}`, `+new ${n}`]

describe('a patch of many files, written concurrently (T6)', () => {
  it('makes every change, and each file’s new content counts as read', async () => {
    for (const n of NUMBERS) put(nameOf(n), `old ${n}\n`)
    const lines = NUMBERS.flatMap((n) => {
      if (n % 4 === 0) return update(n)
      if (n % 4 === 1) return [`*** Delete File: ${nameOf(n)}`]
      if (n % 4 === 2) return [`*** Update File: ${nameOf(n)}`, `*** Move to: moved/${n}.txt`, `-old ${n}`, `+new ${n}`]
      return [`*** Add File: added/${n % 5}/${n}.txt`, `+new ${n}`]
    })
    expect(await apply(...lines)).toMatchObject({ isError: false, output: expect.stringMatching(/^Applied 200 operations: /u) })
    const found = readdirSync(bench().root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    expect(found.length).toBe(200)
    const written = NUMBERS.filter((n) => n % 4 !== 1).map(
      (n) => [nameOf(n), `moved/${n}.txt`, `added/${n % 5}/${n}.txt`][[0, 0, 1, 2][n % 4] ?? 0] ?? '',
    )
    for (const name of written) {
      const n = Number(/\d+(?=\.txt)/u.exec(name)?.[0])
      expect(now(name)).toBe(`new ${n}\n`)
      expect(bench().memory.seen.get(at(name))).not.toBeNull()
    }
    const unread = await apply(`*** Update File: ${nameOf(4)}`, '-new 4', '+newer 4')
    expect(unread.isError).toBe(false)
  })

  it('leaves every file unchanged, and leaves no new files, if a file in the middle cannot be written', () => {
    for (const n of NUMBERS) if (n % 2 === 0) put(nameOf(n), `old ${n}\n`)
    put('d3/closed/x.txt', 'old\n')
    const lines = NUMBERS.flatMap((n) => (n % 2 === 0 ? update(n) : [`*** Add File: ${nameOf(n)}`, `+new ${n}`]))
    const patch = patchOf(...lines, '*** Update File: d3/closed/x.txt', '-old', '+new')
    chmodSync(at('d3/closed/x.txt'), 0o444)
    chmodSync(at('d3/closed'), 0o555)
    const folders = Array.from({ length: 7 }, (_, n) => at(`d${n}`))
    const files = NUMBERS.filter((n) => n % 2 === 0).map((n) => at(nameOf(n)))
    const result = asNobody(
      [bench().root, ...folders, ...files],
      bench().root,
      `return bench.call('apply_patch', { patch: ${JSON.stringify(patch)} })`,
    )
    chmodSync(at('d3/closed'), 0o755)
    expect(result).toMatchObject({
      isError: true,
      output: expect.stringMatching(
        /^d3\/closed\/x\.txt was not written: .* Nothing was changed: the changes already made were undone\.$/u,
      ),
    })
    const left = readdirSync(bench().root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    expect(left.length).toBe(101)
    for (const n of NUMBERS) if (n % 2 === 0) expect(now(nameOf(n))).toBe(`old ${n}\n`)
  })

  it('fails and restores all files if two names of one file get different contents', async () => {
    put('a.txt', 'one\n')
    linkSync(at('a.txt'), at('b.txt'))
    put('c.txt', 'one\n')
    const result = await apply(...['a', 'b', 'c'].flatMap((name) => [`*** Update File: ${name}.txt`, '-one', `+${name}`]))
    expect(result).toMatchObject({ isError: true, output: expect.stringContaining('the changes already made were undone') })
    expect(['a.txt', 'b.txt', 'c.txt'].map(now)).toEqual(['one\n', 'one\n', 'one\n'])
  })

  it('leaves each file with either its old or its new content if the process is killed', { timeout: 120_000 }, async () => {
    for (let kills = 0; kills < 6; kills++) {
      for (const n of NUMBERS) put(nameOf(n), `old ${n}\n`)
      const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', commitScript(), bench().root], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let notes = ''
      child.stdout.on('data', (data: Buffer) => {
        notes += data.toString()
        if (notes.split('\n').length > 10 + kills * 31) child.kill('SIGKILL')
      })
      await once(child, 'close')
      expect(child.signalCode).toBe('SIGKILL')
      const contents = NUMBERS.map((n) => [n, now(nameOf(n))] as const)
      expect(contents.filter(([n, text]) => text !== `old ${n}\n` && text !== `new ${n}\n`)).toEqual([])
      await removeTempFiles(
        notes
          .split('\n')
          .filter(Boolean)
          .map((path) => ({ kind: 'temp-file', path })),
      )
      const files = readdirSync(bench().root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      expect(files.length).toBe(200)
    }
  })
})

/** Returns a script for another process. It commits an update of all files and prints the path of each temp file before it is created. */
function commitScript(): string {
  const main = (path: string): string => JSON.stringify(new URL(`../../main/${path}`, import.meta.url).href)
  return `
    import { writeSync } from 'node:fs'
    import { createLocalExecutionEnvironment } from ${main('environment/local-environment.ts')}
    import { commitFiles } from ${main('tools/files/commit-files.ts')}
    const root = process.argv[1]
    const env = createLocalExecutionEnvironment(root, { notes: { note(entry) { writeSync(1, entry.path + '\\n'); return { dispose() {} } } } })
    const effects = ${JSON.stringify(NUMBERS)}.map((n) => ({
      kind: 'write', path: root + '/d' + n % 7 + '/f' + n + '.txt', shown: 'f' + n, outside: false, control: false,
      before: 'old ' + n + '\\n', after: 'new ' + n + '\\n' }))
    await commitFiles({ effects, seen: () => undefined },
      { env, signal: new AbortController().signal, bytes: (text) => Buffer.from(text), saw() {} })
    setInterval(() => {}, 1000)`
}

it('no writer shares a folder sync that started before the writer’s call (T6)', async () => {
  const syncs = createFolderSyncs()
  const ends: (() => void)[] = []
  let started = 0
  const work = (): Promise<void> => {
    started++
    return new Promise((resolve) => ends.push(resolve))
  }
  const first = syncs.sync('a', work)
  const shared = [syncs.sync('a', work), syncs.sync('a', work), syncs.sync('a', work)]
  const other = syncs.sync('b', work)
  expect(started).toBe(2)
  ends[0]?.()
  await first
  await nextTurn()
  expect(started).toBe(3)
  const late = syncs.sync('a', work)
  ends[2]?.()
  await Promise.all(shared)
  await nextTurn()
  expect(started).toBe(4)
  ends[1]?.()
  ends[3]?.()
  await Promise.all([late, other])
})
