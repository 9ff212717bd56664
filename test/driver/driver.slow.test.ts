import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { removeFolder } from '../support/remove-folder.ts'
import { isAlive } from '../support/is-alive.ts'

const ENTRY = resolve(import.meta.dirname, 'driver.ts')
let folder = ''
/** The temp folder of the drivers in the current test. */
let temporary = ''
let child: ChildProcessWithoutNullStreams | null = null

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-driver-')))
  temporary = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-driver-temp-')))
  writeFileSync(join(folder, 'a.txt'), 'one\ntwo\n')
})
afterEach(() => {
  child?.kill('SIGKILL')
  for (const path of [folder, temporary]) removeFolder(path)
})

const start = (): ChildProcessWithoutNullStreams =>
  spawn(process.execPath, [ENTRY], { env: { ...process.env, HOME: folder, TMPDIR: temporary } })

/** Runs the driver with these inputs. Returns its answers by id and its exit code. */
async function driven(...lines: readonly (object | string | Buffer)[]) {
  const driver = (child = start())
  const out: Buffer[] = []
  const err: Buffer[] = []
  driver.stdout.on('data', (bytes: Buffer) => out.push(bytes))
  driver.stderr.on('data', (bytes: Buffer) => err.push(bytes))
  for (const line of lines) {
    driver.stdin.write(Buffer.isBuffer(line) || typeof line === 'string' ? line : JSON.stringify({ cwd: folder, ...line }))
    driver.stdin.write('\n')
  }
  driver.stdin.end()
  const code = await new Promise((done) => driver.on('close', done))
  const answers = Buffer.concat(out)
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  return {
    code,
    stderr: Buffer.concat(err).toString(),
    answers: answers.toSorted((a, b) => String(a['id']).localeCompare(String(b['id']))),
  }
}

describe('the driver', () => {
  test('arguments are refused with a sentence that says how to use the driver', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [ENTRY, '--help'], { encoding: 'utf8', input: '' })
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toContain('test/driver.md lists the requests')
  })

  test('apply_diff applies the body of a diff section to a text, and reports what does not match', async () => {
    const { answers } = await driven(
      { id: 1, op: 'apply_diff', args: { input: 'a\r\nb\r\n', diff: '@@\n-b\n+c' } },
      { id: 2, op: 'apply_diff', args: { input: '', diff: '+a\n+', mode: 'create' } },
      { id: 3, op: 'apply_diff', args: { input: 'a', diff: '@@\n-z\n+c', mode: 'default' } },
      { id: 4, op: 'apply_diff', args: { input: 'a' } },
    )
    expect(answers).toEqual([
      { id: 1, ok: true, output: 'a\r\nc\r\n' },
      { id: 2, ok: true, output: 'a\n' },
      { id: 3, ok: false, error: expect.stringContaining('The hunk for the input (line 1) was not found.') },
      { id: 4, ok: false, error: 'Invalid arguments: diff is missing; it must be a string.' },
    ])
  })

  test('requests for one folder run in the given order', async () => {
    const calls = Array.from({ length: 40 }, (_, index) => ({
      id: 100 + index,
      op: 'edit_file',
      args: { file_path: 'a.txt', old_string: index === 0 ? 'one' : `step ${index - 1}.`, new_string: `step ${index}.` },
    }))
    const { answers } = await driven(...calls)
    expect(answers.filter(({ ok }) => ok !== true)).toEqual([])
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('step 39.\ntwo\n')
  })

  test('runs tools by name in a folder, in order, and remembers which files were read', async () => {
    const { code, stderr, answers } = await driven(
      { id: 1, op: 'write_file', args: { file_path: 'a.txt', content: 'lost' } },
      { id: 2, op: 'read_file', args: { file_path: 'a.txt' } },
      { id: 3, op: 'edit_file', args: { file_path: 'a.txt', old_string: 'two', new_string: '2' } },
      { id: 4, op: 'grep', args: { pattern: '2' } },
    )
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(answers.map(({ id, ok }) => [id, ok])).toEqual([
      [1, false],
      [2, true],
      [3, true],
      [4, true],
    ])
    expect(answers[1]?.['output']).toBe('     1\tone\n     2\ttwo')
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one\n2\n')
  })

  test('refuses control files and paths outside the folder, even through a link, and changes nothing (D-50)', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'countersign-outside-'))
    symlinkSync(outside, join(folder, 'way'))
    const paths = [join(outside, 'a'), '../a', 'way/a', '.git/hooks/pre-commit']
    const { answers } = await driven(...paths.map((file_path, id) => ({ id, op: 'write_file', args: { file_path, content: 'x' } })))
    expect(answers.map(({ ok }) => ok)).toEqual([false, false, false, false])
    expect(answers.every(({ error }) => String(error).startsWith('Refused: '))).toBe(true)
    expect([existsSync(join(outside, 'a')), existsSync(join(folder, '.git'))]).toEqual([false, false])
    rmSync(outside, { recursive: true })
  })

  test('a call that would fail on a file outside the folder is refused without revealing why it would fail (D-50)', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'countersign-outside-'))
    const file_path = join(outside, 'a')
    writeFileSync(file_path, 'one\n')
    const patch = `*** Begin Patch\n*** Update File: ${file_path}\n-two\n+x\n*** End Patch`
    const { answers } = await driven(
      { id: 1, op: 'write_file', args: { file_path, content: 'x' } },
      { id: 2, op: 'edit_file', args: { file_path, old_string: 'two', new_string: 'x' } },
      { id: 3, op: 'apply_patch', args: { patch } },
      { id: 4, op: 'delete_file', args: { file_path: join(outside, 'gone') } },
    )
    expect(answers.map(({ error }) => error)).toEqual([
      ...[1, 2, 3].map(() => `Refused: ${file_path} is outside the folder. Nothing was executed.`),
      `Refused: ${join(outside, 'gone')} is outside the folder. Nothing was executed.`,
    ])
    expect(readFileSync(file_path, 'utf8')).toBe('one\n')
    rmSync(outside, { recursive: true })
  })

  test('refuses a command that writes outside the folder, to a control file or to a device, even through a link, and changes nothing (D-50)', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'countersign-outside-'))
    mkdirSync(join(folder, '.git'))
    writeFileSync(join(folder, '.git/config'), 'kept')
    writeFileSync(join(outside, 'kept'), 'kept')
    symlinkSync(outside, join(folder, 'far'))
    symlinkSync('.git', join(folder, 'g'))
    symlinkSync(join(outside, 'new'), join(folder, 'dangling'))
    const refused = [
      'echo x > far/x',
      'echo x > f*r/x',
      'cd far && echo x > x',
      'tee far/../a < a.txt',
      'cp a.txt far',
      'echo x > dangling',
      'rm far/kept',
      'echo x >& g/description',
      'echo x > g/config',
      'cp a.txt g/hook',
      'echo x >& .git/config',
      'git -C . config core.fsmonitor ./evil',
      'echo x > $TARGET',
    ]
    const passing = ['echo out > b.txt 2>&1', 'cp a.txt c.txt', 'cat far/kept > /dev/null', 'rm dangling']
    const { answers } = await driven(
      ...refused.map((command, id) => ({ id: `a${String(id).padStart(2, '0')}`, op: 'shell', args: { command } })),
      ...passing.map((command, id) => ({ id: `b${id}`, op: 'shell', args: { command } })),
    )
    expect(answers.map(({ ok }) => ok)).toEqual([...refused.map(() => false), ...passing.map(() => true)])
    expect(answers.filter(({ ok }) => !ok).every(({ error }) => String(error).startsWith('Refused: '))).toBe(true)
    expect([readdirSync(outside), readdirSync(join(folder, '.git')), readFileSync(join(folder, '.git/config'), 'utf8')]).toEqual([
      ['kept'],
      ['config'],
      'kept',
    ])
    expect(readFileSync(join(folder, 'b.txt'), 'utf8')).toBe('out\n')
    rmSync(outside, { recursive: true })
  })

  test('refuses whatever would reach the network, including loopback, before anything is sent (D-50)', async () => {
    let asked = 0
    const server = createServer((_, response) => response.end(String(++asked)))
    await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const { answers } = await driven(
      { id: 1, op: 'web_fetch', args: { url } },
      { id: 2, op: 'web_search', args: { query: 'anything' } },
      { id: 3, op: 'web_fetch', args: { url: 'file:///etc/passwd' } },
    )
    server.close()
    expect(answers.map(({ ok, error }) => [ok, error])).toEqual([
      [false, '127.0.0.1 is an address inside this machine or network, which is not fetched. Use a command to request a local server.'],
      [false, expect.stringMatching(/^Refused: This step reaches html\.duckduckgo\.com over the network\./u)],
      [false, 'Only http and https addresses are fetched, not file:'],
    ])
    expect(asked).toBe(0)
  })

  test('a relative folder is resolved against the folder where the driver was started', async () => {
    const { answers } = await driven(
      { id: 1, op: 'list_dir', cwd: relative(process.cwd(), folder), args: {} },
      { id: 2, op: 'list_dir', cwd: '', args: {} },
    )
    expect(answers).toEqual([
      { id: 1, ok: true, output: expect.stringContaining('a.txt') },
      { id: 2, ok: false, error: expect.stringContaining('cwd') },
    ])
  })

  test('answers every invalid line with an error, and continues', async () => {
    const { code, answers } = await driven(
      'not json',
      '[]',
      'null',
      '{"id":"no op"}',
      Buffer.from([0xff, 0xfe, 0x00]),
      '',
      { id: 'a', op: '__proto__' },
      { id: 'b', op: 'read_file', args: null },
      { id: 'c', op: 'read_file', args: '{"file_path":' },
      { id: 'd', op: 'read_file', cwd: join(folder, 'missing'), args: { file_path: 'a.txt' } },
      { id: 'e', op: 'read_file', cwd: null, args: {} },
      { id: 'f', op: 'ignore', args: { patterns: 1 } },
      { id: 'g', op: 'read_file', args: { file_path: 'a.txt' } },
    )
    expect(code).toBe(0)
    expect(answers.map(({ id, ok }) => [id, ok])).toEqual([
      ['a', false],
      ['b', false],
      ['c', false],
      ['d', false],
      ['e', false],
      ['f', false],
      ['g', true],
      ['no op', false],
      [null, false],
      [null, false],
      [null, false],
      [null, false],
    ])
    expect(answers.filter(({ ok }) => !ok).every(({ error }) => typeof error === 'string' && error.length > 10)).toBe(true)
  })

  test('leaves no process behind when it is ended during a command', async () => {
    const driver = (child = spawn(process.execPath, [ENTRY], { env: { ...process.env, HOME: folder } }))
    const closed = new Promise((done) => driver.on('close', done))
    driver.stdin.write(`${JSON.stringify({ id: 1, op: 'shell', cwd: folder, args: { command: 'echo $$ > pid; exec sleep 300' } })}\n`)
    await expect.poll(() => existsSync(join(folder, 'pid')) && readFileSync(join(folder, 'pid'), 'utf8').trim()).toBeTruthy()
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'))
    driver.kill('SIGTERM')
    await closed
    expect(() => process.kill(pid, 0)).toThrow(/ESRCH/u)
  })

  test('says which paths a .gitignore excludes', async () => {
    const { answers } = await driven({
      id: 1,
      op: 'ignore',
      args: { patterns: ['*.log', '!keep.log', 'build/'], paths: ['a.log', 'keep.log', 'build/x', 'src/a'] },
    })
    expect(answers).toEqual([{ id: 1, ok: true, output: ['a.log', 'build/x'] }])
  })

  test('P3-05: the number of characters removed from a large output is right, and the complete output can be read', async () => {
    const { answers } = await driven(
      { id: 'a', op: 'shell', args: { command: 'head -c 10000000 /dev/zero | tr "\\0" a' } },
      { id: 'b', op: 'bash', args: { command: 'seq 1 100000' } },
      { id: 'c', op: 'read_output', args: { call: 'b', offset: 47_000, limit: 2 } },
      { id: 'd', op: 'read_output', args: { call: 'b', pattern: '50000' } },
    )
    const [a = '', b = '', c, d] = answers.map(({ output }) => String(output))
    const left = (text: string): number => text.replace(/\n\n\[WARNING[^\]]*\]\n\n/u, '').replace(/\nExit code.*$/u, '').length
    const removed = (text: string): number => Number(/ (\d+) characters were removed from the middle/u.exec(text)?.[1])
    expect([removed(a) + left(a), removed(b) + left(b)]).toEqual([10_000_000, 588_894])
    expect(c).toBe(' 47000\t47000\n 47001\t47001\n(2 of 100000 lines are shown; continue with offset 47002.)')
    expect(d).toBe(' 50000\t50000')
    expect(readdirSync(temporary)).toEqual([])
  })

  test('the next driver removes only what a killed driver left in the temp folder', async () => {
    const killed = (child = start())
    killed.stdin.write(`${JSON.stringify({ id: 1, op: 'shell', cwd: folder, args: { command: 'seq 1 100000' } })}\n`)
    await once(killed.stdout, 'data')
    const left = readdirSync(temporary)
    expect(left).toEqual([expect.stringMatching(`^countersign-blobs-${killed.pid}\\.`)])
    killed.kill('SIGKILL')
    await once(killed, 'close')

    const elsewhere = String(left[0]).replace(/\.\d+-/u, '.1-')
    const kept = [
      elsewhere,
      `countersign-blobs-${process.pid}.${/\.(\d+)-/u.exec(String(left[0]))?.[1]}-running`,
      'countersign-blobs-notes',
    ]
    for (const name of kept) mkdirSync(join(temporary, name))
    await driven({ id: 1, op: 'ignore', args: { patterns: [], paths: [] } })
    expect(readdirSync(temporary).toSorted()).toEqual(kept.toSorted())
  })

  test('exits after the last answer, even if bash still runs a command, and leaves nothing behind', async () => {
    const command = 'trap "" TERM; sleep 300 & echo $! $$'
    const { answers, code, stderr } = await driven(
      { id: 1, op: 'bash', args: { command } },
      { id: 2, op: 'bash', args: { command: 'sleep 300', run_in_background: true } },
    )
    expect([code, stderr, answers.map(({ ok }) => ok)]).toEqual([0, '', [true, true]])
    const pids = [...String(answers[0]?.['output']).split(/\s/u).slice(0, 2), /process (\d+)/u.exec(String(answers[1]?.['output']))?.[1]]
    expect(pids.map((pid) => isAlive(Number(pid)))).toEqual([false, false, false])
  })
})
