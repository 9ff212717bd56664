import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import type { CrashNote } from '../../main/environment/crash-notes.ts'
import { removeTempFiles } from '../../main/environment/end-leftovers.ts'
import { createLocalExecutionEnvironment, type LocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import { asNobody, failureOf, NOBODY, plant, tempFolder } from './support.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const isRoot = process.geteuid?.() === 0

it('a replaced file keeps its mode and, for root, its owner, and a new file follows the umask', async () => {
  const folder = tempFolder()
  plant(folder, { 'tool.sh': 'old' })
  chmodSync(join(folder, 'tool.sh'), 0o750)
  if (isRoot) chownSync(join(folder, 'tool.sh'), NOBODY, NOBODY)
  const env = createLocalExecutionEnvironment(folder)
  await env.writeFile('tool.sh', 'new')
  const umask = process.umask(0o027)
  onTestFinished(() => void process.umask(umask))
  await env.writeFile('fresh', 'x')
  await env.writeBytes('chosen', bytes('x'), { mode: 0o600 })
  const found = statSync(join(folder, 'tool.sh'))
  expect([found.mode & 0o7777, found.uid, readFileSync(join(folder, 'tool.sh'), 'utf8')]).toEqual([
    0o750,
    isRoot ? NOBODY : found.uid,
    'new',
  ])
  expect(['fresh', 'chosen'].map((name) => statSync(join(folder, name)).mode & 0o7777)).toEqual([0o640, 0o600])
})

it('fault 15: a write goes through a link, even a dangling one, and keeps the link', async () => {
  const folder = tempFolder()
  plant(folder, { 'real/a': 'old' })
  symlinkSync('real/a', join(folder, 'link'))
  symlinkSync('real/new', join(folder, 'dangling'))
  const env = createLocalExecutionEnvironment(folder)
  await env.writeFile('link', 'new')
  await env.writeFile('dangling', 'made')
  expect(['real/a', 'real/new'].map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual(['new', 'made'])
  expect(['link', 'dangling'].every((name) => lstatSync(join(folder, name)).isSymbolicLink())).toBe(true)
})

it('C10: a write to an approved path does not go through a link that has replaced it', async () => {
  const folder = tempFolder()
  plant(folder, { 'project/a.txt': 'same', 'project/sub/b.txt': 'same', 'home/rc': 'same', 'home/b.txt': 'same' })
  const env = createLocalExecutionEnvironment(join(folder, 'project'))
  const [file, inFolder, fresh] = ['a.txt', 'sub/b.txt', 'new.txt'].map((name) => join(folder, 'project', name))
  execFileSync('sh', ['-c', 'rm a.txt; ln -s ../home/rc a.txt; rm -r sub; ln -s ../home sub; ln -s ../home/planted new.txt'], {
    cwd: join(folder, 'project'),
  })
  const options = { expected: bytes('same'), real: true }
  const attempts = [
    env.writeBytes(file ?? '', bytes('evil'), options),
    env.writeBytes(inFolder ?? '', bytes('evil'), options),
    env.writeBytes(fresh ?? '', bytes('evil'), { expected: null, real: true }),
  ]
  expect((await Promise.all(attempts.map(failureOf))).map(({ code }) => code)).toEqual(['ECHANGED', 'ECHANGED', 'ECHANGED'])
  expect(readdirSync(join(folder, 'home')).map((name) => `${name} ${readFileSync(join(folder, 'home', name), 'utf8')}`)).toEqual([
    'b.txt same',
    'rc same',
  ])
})

it('a hard-linked file has the new content under all its names', async () => {
  const folder = tempFolder()
  plant(folder, { a: 'a long old content' })
  linkSync(join(folder, 'a'), join(folder, 'b'))
  await createLocalExecutionEnvironment(folder).writeBytes('a', bytes('new'), { expected: bytes('a long old content') })
  expect([readFileSync(join(folder, 'b'), 'utf8'), statSync(join(folder, 'b')).nlink]).toEqual(['new', 2])
})

it('fault 14: a read-only file is not written, and a file in a read-only folder is written in place', () => {
  const folder = tempFolder()
  plant(folder, { 'own/read-only': 'old', 'closed/a': 'old' })
  chmodSync(folder, 0o755)
  if (isRoot) for (const name of ['own', 'own/read-only', 'closed/a']) chownSync(join(folder, name), NOBODY, NOBODY)
  chmodSync(join(folder, 'own/read-only'), 0o444)
  chmodSync(join(folder, 'closed'), 0o555)
  onTestFinished(() => chmodSync(join(folder, 'closed'), 0o755))
  const results = asNobody(
    folder,
    `return [
      await failureOf(env.writeFile('own/read-only', 'new')),
      (await failureOf(env.writeFile('closed/fresh', 'new'))).code,
      await failureOf(env.writeFile('closed/a', 'new')),
    ]`,
  )
  expect(results).toEqual([{ code: 'EACCES', message: 'Could not write own/read-only: permission denied (EACCES).' }, 'EACCES', 'done'])
  expect([readFileSync(join(folder, 'own/read-only'), 'utf8'), readFileSync(join(folder, 'closed/a'), 'utf8')]).toEqual(['old', 'new'])
  expect([readdirSync(join(folder, 'own')), readdirSync(join(folder, 'closed'))]).toEqual([['read-only'], ['a']])
})

// Only root can create a file of a group to which it does not belong.
it.runIf(isRoot)('a user’s own file keeps its group, whether or not the user belongs to it', () => {
  const folder = tempFolder()
  const groups = { member: 4001, stranger: 4002 }
  chownSync(folder, NOBODY, NOBODY)
  for (const [name, group] of Object.entries(groups)) {
    plant(folder, { [name]: 'old' })
    chownSync(join(folder, name), NOBODY, group)
    chmodSync(join(folder, name), 0o660)
  }
  const body = `return Promise.all(['member', 'stranger'].map((name) => failureOf(env.writeFile(name, 'new'))))`
  expect(asNobody(folder, body, groups.member)).toEqual(['done', 'done'])
  for (const [name, group] of Object.entries(groups)) {
    const { uid, gid, mode } = statSync(join(folder, name))
    expect([uid, gid, mode & 0o777, readFileSync(join(folder, name), 'utf8')]).toEqual([NOBODY, group, 0o660, 'new'])
  }
  expect(readdirSync(folder).toSorted()).toEqual(['member', 'stranger'])
})

// Only root can create a file of another user.
it.runIf(isRoot)('another user’s file in the user’s own folder keeps its owner', () => {
  const folder = tempFolder()
  plant(folder, { theirs: 'old' })
  chmodSync(folder, 0o777)
  chmodSync(join(folder, 'theirs'), 0o666)
  expect(asNobody(folder, `return failureOf(env.writeFile('theirs', 'new'))`)).toBe('done')
  expect([statSync(join(folder, 'theirs')).uid, readFileSync(join(folder, 'theirs'), 'utf8')]).toEqual([0, 'new'])
})

it('fault 17: a write to a locked file is retried, and finally fails without any change', () => {
  const folder = tempFolder()
  chmodSync(folder, 0o755)
  plant(folder, { 'held/old': 'old', 'held/temp': 'new' })
  for (const path of ['held', 'held/old', 'held/temp']) if (isRoot) chownSync(join(folder, path), NOBODY, NOBODY)
  const results = asNobody(
    folder,
    `const { chmodSync, readFileSync, readdirSync } = await import('node:fs')
    const { renameFile } = await import(${JSON.stringify(new URL('../../main/environment/files/temp-file.ts', import.meta.url).href)})
    process.chdir(${JSON.stringify(folder)})
    const standing = () => readdirSync('held').map((name) => name + ': ' + readFileSync('held/' + name, 'utf8'))
    // A read-only folder refuses the rename with the code that Windows uses for a file that is in use.
    chmodSync('held', 0o500)
    const never = await failureOf(renameFile('held/temp', 'held/old', [1, 1]))
    const before = standing()
    function* untilFreed() {
      yield 1
      chmodSync('held', 0o700)
      yield 1
    }
    return [never.code, before, await failureOf(renameFile('held/temp', 'held/old', untilFreed())), standing()]`,
  )
  expect(results).toEqual(['EACCES', ['old: old', 'temp: new'], 'done', ['old: new']])
})

it('fault 14: on a full disk the old content stays intact and no temp file is left, even for a write in place', () => {
  const folder = tempFolder()
  plant(folder, { a: 'old content', b: 'old content' })
  linkSync(join(folder, 'b'), join(folder, 'c'))
  // A limit on the file size makes the kernel refuse the write halfway, as a full disk does.
  const script = `
    import { createLocalExecutionEnvironment } from ${JSON.stringify(new URL('../../main/environment/local-environment.ts', import.meta.url).href)}
    process.on('SIGXFSZ', () => {})
    const env = createLocalExecutionEnvironment(process.argv[1])
    for (const name of ['a', 'b']) {
      try { await env.writeBytes(name, new Uint8Array(64 * 1024)); console.log('written') } catch (error) { console.log(error.code) }
    }`
  const command = 'ulimit -f 8; exec "$0" --input-type=module-typescript -e "$1" "$2"'
  const printed = execFileSync('bash', ['-c', command, process.execPath, script, folder], { encoding: 'utf8' })
  expect(printed).toBe('EFBIG\nEFBIG\n')
  expect(readdirSync(folder).map((name) => `${name}: ${readFileSync(join(folder, name), 'utf8')}`)).toEqual([
    'a: old content',
    'b: old content',
    'c: old content',
  ])
})

it('fault 9, 23: if many simultaneous writers expect the same content, exactly one succeeds', async () => {
  const folder = tempFolder()
  plant(folder, { a: 'start' })
  const env = createLocalExecutionEnvironment(folder)
  const fresh = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) => env.writeBytes('new', bytes(`${index}`), { expected: null })),
  )
  expect(fresh.filter(({ status }) => status === 'fulfilled').length).toBe(1)
  const winner = fresh.findIndex(({ status }) => status === 'fulfilled')
  expect(readFileSync(join(folder, 'new'), 'utf8')).toBe(`${winner}`)
  expect(readdirSync(folder).toSorted()).toEqual(['a', 'new'])
})

it(
  'fault 16: a kill at any moment leaves the old or the new file, and the next launch removes the recorded temp files',
  { timeout: 120_000 },
  async () => {
    const folder = tempFolder()
    const size = 3_000_000
    writeFileSync(join(folder, 'a'), Buffer.alloc(size, 'o'))
    const script = `
    import { createLocalExecutionEnvironment } from ${JSON.stringify(new URL('../../main/environment/local-environment.ts', import.meta.url).href)}
    const notes = { note: (entry) => { console.log(entry.path); return { dispose() {} } } }
    const env = createLocalExecutionEnvironment(process.argv[1], { notes })
    for (let round = 0; ; round++) await env.writeBytes('a', new Uint8Array(${size}).fill(97 + (round % 26)))`
    for (let kills = 0; kills < 12; kills++) {
      const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script, folder], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let printed = ''
      child.stdout.on('data', (data: Buffer) => (printed += data.toString()))
      // The process is killed in the middle of a write, after a few writes that it announced.
      for (let writes = 0; writes <= kills % 4; writes++) await once(child.stdout, 'data')
      child.kill('SIGKILL')
      await once(child, 'close')
      const content = readFileSync(join(folder, 'a'))
      expect([content.length, new Set(content).size]).toEqual([size, 1])
      await removeTempFiles(printed.split('\n').map((path) => ({ kind: 'temp-file', path })))
      expect(readdirSync(folder)).toEqual(['a'])
    }
  },
)

it('a write records its temp file before creating it, and removes the record when the file is gone', async () => {
  const folder = tempFolder()
  const history: string[] = []
  const note = (entry: CrashNote) => {
    history.push(`${entry.kind} ${readdirSync(folder).length}`)
    return { dispose: () => history.push(`crossed out ${readdirSync(folder).length}`) }
  }
  await createLocalExecutionEnvironment(folder, { notes: { note } }).writeFile('a', 'x')
  expect(history).toEqual(['temp-file 0', 'crossed out 1'])
})

it.each(['new/', 'new/.', 'new/..', 'folder/', 'folder/.', '.', './', '..'])(
  'fault 18: %j, which can only be a folder, is not written as a file',
  async (path) => {
    const folder = tempFolder()
    mkdirSync(join(folder, 'folder'))
    const env = createLocalExecutionEnvironment(folder)
    const failure = { code: 'EISDIR', message: `${path} is a folder, not a file (EISDIR).` }
    expect([await failureOf(env.writeFile(path, 'x')), await failureOf(env.writeBytes(path, Buffer.from('x')))]).toEqual([failure, failure])
    expect(readdirSync(folder)).toEqual(['folder'])
  },
)

it('fault 14: writing over a folder or a device fails without any change', async () => {
  const folder = tempFolder()
  mkdirSync(join(folder, 'folder'))
  execFileSync('mkfifo', [join(folder, 'pipe')])
  const env = createLocalExecutionEnvironment(folder)
  const failures = await Promise.all(
    [env.writeFile('folder', 'x'), env.writeFile('pipe', 'x'), env.writeFile('pipe/x', 'x'), env.deleteFile('folder')].map(failureOf),
  )
  expect(failures.map(({ code }) => code)).toEqual(['EISDIR', 'EINVAL', 'ENOTDIR', 'EISDIR'])
  expect(readdirSync(folder)).toEqual(['folder', 'pipe'])
})

it.runIf(process.platform === 'linux')('setMode changes a file without access rights, but nothing through a link', async () => {
  const folder = tempFolder()
  const outside = tempFolder()
  plant(outside, { file: 'theirs' })
  plant(folder, { own: 'mine' })
  chmodSync(join(folder, 'own'), 0)
  chmodSync(join(outside, 'file'), 0o600)
  symlinkSync(join(outside, 'file'), join(folder, 'link'))
  const env = createLocalExecutionEnvironment(folder)
  await env.setMode('own', 0o640)
  expect((await failureOf(env.setMode('link', 0o644))).code).toBe('ELOOP')
  expect([join(folder, 'own'), join(outside, 'file')].map((path) => lstatSync(path).mode & 0o777)).toEqual([0o640, 0o600])
})

it.each<[string, (env: LocalExecutionEnvironment) => Promise<void>]>([
  ['deleteFile', (env) => env.deleteFile('sub/file')],
  ['rename from', (env) => env.rename('sub/file', 'mine')],
  ['rename to', (env) => env.rename('own', 'sub/own')],
  ['symlink', (env) => env.symlink('own', 'sub/link')],
  ['setMode', (env) => env.setMode('sub/folder', 0o700)],
  ['createFolder', (env) => env.createFolder('sub/made', 0o700)],
  ['removeFolder', (env) => env.removeFolder('sub/folder')],
])('%s changes nothing if a link that leads out of the folder has taken the place of a folder', async (_name, change) => {
  const folder = tempFolder()
  const outside = tempFolder()
  plant(outside, { file: 'theirs' })
  mkdirSync(join(outside, 'folder'), { mode: 0o755 })
  plant(folder, { own: 'mine', 'inner/file': 'mine' })
  symlinkSync(outside, join(folder, 'sub'))
  const env = createLocalExecutionEnvironment(folder)
  expect((await failureOf(change(env))).code).toBe('ECHANGED')
  expect([readdirSync(outside).toSorted(), lstatSync(join(outside, 'folder')).mode & 0o777]).toEqual([['file', 'folder'], 0o755])
  expect(readFileSync(join(folder, 'own'), 'utf8')).toBe('mine')
  // A link whose target is inside the folder is followed.
  rmSync(join(folder, 'sub'))
  symlinkSync('inner', join(folder, 'sub'))
  await env.deleteFile('sub/file')
  expect(readdirSync(join(folder, 'inner'))).toEqual([])
})

// The test needs /proc, which only Linux has.
it.runIf(process.platform === 'linux')(
  'fault 14: a write in a folder under /proc fails with ENOENT instead of waiting forever',
  async () => {
    const env = createLocalExecutionEnvironment(tempFolder())
    expect((await failureOf(env.writeFile('/proc/1/x/y/z', 'x'))).code).toBe('ENOENT')
  },
)

it('simultaneous writes into the same missing folders create all the files with their contents', async () => {
  const folder = tempFolder()
  const env = createLocalExecutionEnvironment(folder)
  const paths = Array.from({ length: 20 }, (_, at) => `a/b/${at % 2}/d/${at}`)
  await Promise.all(paths.map((path) => env.writeFile(path, `content of ${path}`)))
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const found = Object.fromEntries(
    files.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), 'utf8')]),
  )
  expect(found).toEqual(Object.fromEntries(paths.map((path) => [join(folder, path), `content of ${path}`])))
})

it('T-01: a read returns exactly the written bytes, whatever the file contained before', async () => {
  const env = createLocalExecutionEnvironment(tempFolder())
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 5000 }), fc.uint8Array({ maxLength: 5000 }), async (earlier, later) => {
      await env.writeBytes('a', earlier)
      await env.writeBytes('a', later, { expected: earlier })
      expect(await env.readBytes('a')).toEqual(later)
    }),
    { numRuns: 30 },
  )
})
