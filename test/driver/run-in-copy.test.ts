import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hasNoCopies } from '../environment/copy/support.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const ENTRY = resolve(import.meta.dirname, 'driver.ts')

/** Runs a driver in a new folder and returns its answers. */
async function driven(...requests: readonly { readonly args: object }[]) {
  const base = temporaryFolder('driver-copy')
  const folder = join(base, 'project')
  const home = join(base, 'home')
  for (const path of [folder, home]) mkdirSync(path)
  const driver = spawn(process.execPath, [ENTRY], { env: { ...process.env, HOME: home, TMPDIR: base }, stdio: ['pipe', 'pipe', 'inherit'] })
  let text = ''
  driver.stdout.on('data', (bytes: Buffer) => (text += bytes.toString()))
  requests.forEach((request, id) => driver.stdin.write(`${JSON.stringify({ id, op: 'run_in_copy', cwd: folder, ...request })}\n`))
  driver.stdin.end()
  await new Promise((done) => driver.once('close', done))
  const answers = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  return { folder, home, answers }
}

describe.skipIf(hasNoCopies)('run_in_copy', () => {
  test('reports exit code, output, changes and refused hosts of a command, and leaves the folder unchanged', async () => {
    const command = 'cat a.txt; echo 2 > a.txt; echo n > n.txt; curl -sS -m 5 http://example.org/; exit 3'
    const { folder, home, answers } = await driven({ args: { command, files: { 'a.txt': 'one\n' }, hosts: ['granted.example'] } })
    expect(answers).toMatchObject([
      {
        ok: true,
        output: {
          exit: 3,
          output: expect.stringContaining('one\n'),
          changes: [
            { kind: 'modified', path: 'a.txt', after: { size: 2 } },
            { kind: 'created', path: 'n.txt' },
          ],
          blocked: [{ host: 'example.org', port: 80 }],
        },
      },
    ])
    expect(readdirSync(folder)).toEqual(['a.txt'])
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one\n')
    expect(readdirSync(join(home, '.cache', 'countersign', 'copies'))).toEqual([])
  })

  test('applies the changes on request, and reports a refused host even if no host was granted', async () => {
    const { folder, answers } = await driven({ args: { command: 'curl -sS -m 5 https://example.org/; echo 2 > b.txt', apply: true } })
    expect(answers).toMatchObject([{ output: { applied: { kind: 'applied' }, blocked: [{ host: 'example.org', port: 443 }] } }])
    expect(readFileSync(join(folder, 'b.txt'), 'utf8')).toBe('2\n')
  })

  test('a command that its time limit ends is refused, and nothing is applied', async () => {
    const { folder, answers } = await driven({ args: { command: 'echo begun; echo 1 > a.txt; sleep 60', timeout_ms: 1500, apply: true } })
    expect(answers).toEqual([{ id: 0, ok: false, error: expect.stringMatching(/^The time limit of 1500 ms ended the command.*begun/su) }])
    expect(readdirSync(folder)).toEqual([])
  })

  test('a folder of the project can be renamed, as in a session', async () => {
    const rename = `node -e "require('fs').renameSync('src', 'lib')"`
    const { folder, answers } = await driven({ args: { command: rename, files: { 'src/a.txt': 'one\n' }, apply: true } })
    expect(answers).toMatchObject([{ ok: true, output: { exit: 0, applied: { kind: 'applied' } } }])
    expect(readdirSync(join(folder, 'lib'))).toEqual(['a.txt'])
  })

  test('refuses files outside the folder, and arguments of the wrong kind', async () => {
    const { folder, answers } = await driven({ args: { command: 'true', files: { '../x': '' } } }, { args: { files: {} } })
    expect(answers).toMatchObject([
      { ok: false, error: 'files: ../x is not in the folder.' },
      { ok: false, error: expect.stringContaining('command is missing') },
    ])
    expect(existsSync(join(folder, '..', 'x'))).toBe(false)
  })
})
