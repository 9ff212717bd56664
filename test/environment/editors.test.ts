import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { editorRun, foundEditors } from '../../main/environment/editors.ts'
import { realPathInFolders } from '../../main/environment/real-folders.ts'
import { openInEditor } from '../../main/environment/open-in-editor.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-editors-'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

/** Creates a real program on PATH that records how it was started. */
function program(name: string, more = ''): string {
  const file = join(folder, name)
  writeFileSync(
    file,
    `#!/bin/sh\nprintf '%s\\n' "$@" > "${folder}/argv.part"\nenv > "${folder}/env"\nmv "${folder}/argv.part" "${folder}/argv"\n${more}\n`,
  )
  chmodSync(file, 0o755)
  return file
}
const run = (choice: string, file: string, line: number | null, visual = '') => {
  const made = editorRun(choice, file, line, { PATH: folder, VISUAL: visual })
  return made.ok ? made.value.argv : made.failure.what
}

describe('the command of an editor', () => {
  test.each([
    ['code', ['-g', '/p/a.ts:7']],
    ['zed', ['/p/a.ts:7']],
    ['subl', ['/p/a.ts:7']],
    ['webstorm', ['--line', '7', '/p/a.ts']],
    ['kate', ['--line', '7', '/p/a.ts']],
    ['gedit', ['+7', '/p/a.ts']],
    ['mousepad', ['/p/a.ts']],
  ])('%s gets the line number in its own format', (name, args) => {
    const file = program(name)
    expect(run('automatic', '/p/a.ts', 7)).toEqual([file, ...args])
  })

  test('a name that contains a colon is passed without a line number', () => {
    const code = program('code')
    expect([run('code', '/p/a:12', 7), run('code', '/p/a.ts', null)]).toEqual([
      [code, '/p/a:12'],
      [code, '/p/a.ts'],
    ])
  })

  test('$VISUAL is used first, with its flags, unless it needs a terminal', () => {
    const code = program('code')
    const kate = program('kate')
    program('vim')
    expect(run('automatic', '/p/a', 3, 'kate --new-window')).toEqual([kate, '--new-window', '--line', '3', '/p/a'])
    expect(run('automatic', '/p/a', 3, 'vim')).toEqual([code, '-g', '/p/a:3'])
    expect(run('visual', '/p/a', 3, 'vim')).toContain('vim needs a terminal')
    expect(foundEditors({ PATH: folder, VISUAL: 'vim' })).toEqual({
      editors: [
        { id: 'code', label: 'VS Code' },
        { id: 'kate', label: 'Kate' },
      ],
      visual: { name: 'vim', needsTerminal: true },
    })
  })

  test('an unknown $VISUAL is started only if the user chose it, and shell syntax in it has no effect', () => {
    const own = program('own')
    expect(run('automatic', '/p/a', 3, 'own')).toContain('no editor with its own window')
    expect(run('visual', '/p/a', 3, `own "two words" $(touch x); rm`)).toEqual([own, 'two words', '$(touch', 'x);', 'rm', '/p/a'])
  })

  test('if no editor is found, or the chosen one is missing, the message says that the file was not opened and is unchanged', () => {
    for (const choice of ['automatic', 'zed', 'visual']) {
      const made = editorRun(choice, '/p/a', 1, { PATH: folder })
      expect(made).toMatchObject({
        ok: false,
        failure: { what: expect.stringContaining('was not opened'), kept: 'The file is unchanged.' },
      })
    }
  })
})

describe('a file on another machine', () => {
  const file = 'ssh://box/srv/a.ts'

  test.each([
    ['code', file, ['--remote', 'ssh-remote+box', '-g', '/srv/a.ts:7']],
    ['cursor', 'ssh://ada@box:2222/srv/a.ts', ['--remote', 'ssh-remote+ada@box:2222', '-g', '/srv/a.ts:7']],
    ['zed', file, ['ssh://box/srv/a.ts:7']],
  ])('%s opens %s there', (name, address, args) => {
    const path = program(name)
    expect(run(name, address, 7)).toEqual([path, ...args])
  })

  test('"automatic" takes the first editor that can, before the command in $VISUAL that cannot', () => {
    program('gedit')
    const zed = program('zed')
    expect(run('automatic', file, null, 'gedit')).toEqual([zed, file])
  })

  test.each([
    ['kate', file, 'Kate does not open files there'],
    ['automatic', file, 'no editor was found that opens files there'],
    ['code', 'container:shop-dev/srv/a.ts', 'VS Code does not open files there'],
  ])('%s refuses %s with the reason', (choice, address, reason) => {
    program(choice === 'automatic' ? 'gedit' : choice)
    expect(run(choice, address, 7)).toContain(reason)
  })
})

// The editors of these tests are shell scripts, which Windows cannot run.
describe.skipIf(process.platform === 'win32')('opening', () => {
  beforeEach(() => {
    vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`)
    vi.stubEnv('DISPLAY', ':0')
    vi.stubEnv('VISUAL', undefined)
  })

  test('passes any file name as one argument, and the editor gets neither API keys nor our variables', async () => {
    program('code')
    vi.stubEnv('OPENAI_API_KEY', 'sk-canary-1234567890')
    vi.stubEnv('COUNTERSIGN_MARK', 'x')
    vi.stubEnv('MY_OWN', 'kept')
    expect(await openInEditor('code', '/p/$(touch x) "a".ts', 7)).toBeNull()
    expect(readFileSync(join(folder, 'argv'), 'utf8')).toBe('-g\n/p/$(touch x) "a".ts:7\n')
    const env = readFileSync(join(folder, 'env'), 'utf8')
    expect(env).toContain('MY_OWN=kept')
    for (const name of ['OPENAI_API_KEY', 'COUNTERSIGN_MARK', 'GIT_EDITOR', 'npm_']) expect(env).not.toContain(name)
  })

  test('reports an editor that fails immediately, or a machine without a display', async () => {
    program('code', 'exit 3')
    expect(await openInEditor('code', '/p/a', null)).toMatchObject({
      what: 'VS Code did not open the file: it ended at once (exit code 3).',
    })
    if (process.platform !== 'linux') return
    for (const name of ['DISPLAY', 'WAYLAND_DISPLAY', 'VSCODE_IPC_HOOK_CLI']) vi.stubEnv(name, undefined)
    expect(await openInEditor('code', '/p/a', null)).toMatchObject({ what: expect.stringContaining('no display') })
  })

  test('accepts only files whose real path is inside an open folder', async () => {
    const open = join(folder, 'ws')
    const out = join(folder, 'ws-out')
    for (const one of [open, out]) mkdirSync(one)
    writeFileSync(join(out, 'a'), '')
    symlinkSync(join(out, 'a'), join(open, 'link'))
    expect(await realPathInFolders(join(open, 'link'), [open])).toBeNull()
    expect(await realPathInFolders(join(out, 'a'), [open])).toBeNull()
  })
})
