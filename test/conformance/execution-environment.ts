import { wordList } from '../../shared/lib/word-list.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ExecutionEnvironment } from '../../main/agent/ports/execution-environment.ts'
import { failureOf } from '../environment/support.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const text = (raw: Uint8Array): string => new TextDecoder().decode(raw)

/**
 * Tests the promises of every execution environment, local or remote (P2-31, DESIGN §5). `create` returns an environment over an empty
 * folder. The suite touches the folder only through that environment. `searchesLines`: whether it searches line by line only, and says so.
 */
export function executionEnvironmentConformance(
  name: string,
  create: () => Promise<ExecutionEnvironment> | ExecutionEnvironment,
  { searchesLines = false } = {},
): void {
  const open = async (): Promise<ExecutionEnvironment> => {
    const env = await create()
    await env.initialize()
    onTestFinished(() => env.cleanup())
    return env
  }

  describe(`${name}: files`, () => {
    it('P2-38: numbers lines from 1, right-aligned in six columns, a tab, the text', async () => {
      const env = await open()
      await env.writeFile('a.txt', 'one\ntwo\n\nfour')
      expect(await env.readFile('a.txt')).toBe('     1\tone\n     2\ttwo\n     3\t\n     4\tfour')
    })

    it('P2-38, D-01: takes offset as a 0-based line index and limit as a line count', async () => {
      const env = await open()
      await env.writeFile('a.txt', 'one\ntwo\nthree\nfour\n')
      expect(await env.readFile('a.txt', 1, 2)).toBe('     2\ttwo\n     3\tthree')
      expect(await env.readFile('a.txt', 3)).toBe('     4\tfour')
    })

    it('P2-38: reading a missing file fails with ENOENT and names it', async () => {
      const env = await open()
      expect(await failureOf(env.readFile('gone.txt'))).toEqual({ code: 'ENOENT', message: expect.stringContaining('gone.txt') })
    })

    it('P2-39: writes a file and makes its missing folders', async () => {
      const env = await open()
      await env.writeFile('x/y/z.txt', 'ünï\n')
      expect(text(await env.readBytes('x/y/z.txt'))).toBe('ünï\n')
    })

    it('P2-40, D-12: deletes a file, and fails for a missing one', async () => {
      const env = await open()
      await env.writeFile('a.txt', 'x')
      await env.deleteFile('a.txt')
      expect(await env.fileExists('a.txt')).toBe(false)
      expect(await failureOf(env.deleteFile('a.txt'))).toMatchObject({ code: 'ENOENT' })
    })

    it('P2-41: says whether a file exists and never fails', async () => {
      const env = await open()
      await env.writeFile('a.txt', 'x')
      expect(await Promise.all(['a.txt', 'b.txt', 'a.txt/b', 'nul\0', ''].map((path) => env.fileExists(path)))).toEqual([
        true,
        false,
        false,
        false,
        false,
      ])
    })

    it('P2-28, P2-42: lists the immediate children with kind and size, and deeper when asked', async () => {
      const env = await open()
      await env.writeFile('b.txt', 'four')
      await env.writeFile('a/deep/c.txt', 'x')
      const folder = (name: string) => ({ name, isDir: true, size: null })
      expect(await env.listDirectory('.')).toEqual([folder('a'), { name: 'b.txt', isDir: false, size: 4 }])
      expect(await env.listDirectory('.', 3)).toEqual([
        folder('a'),
        folder('a/deep'),
        { name: 'a/deep/c.txt', isDir: false, size: 1 },
        { name: 'b.txt', isDir: false, size: 4 },
      ])
    })

    it('T-01: raw bytes come back as they were written, whatever they are', async () => {
      const env = await open()
      const all = Uint8Array.from({ length: 256 }, (_, index) => index)
      await env.writeBytes('raw', all)
      expect(await env.readBytes('raw')).toEqual(all)
      await env.writeBytes('raw', new Uint8Array())
      expect(await env.readBytes('raw')).toEqual(new Uint8Array())
    })

    it('refuses to read anything but a file, and a file above the given size', async () => {
      const env = await open()
      await env.writeBytes('folder/a', bytes('12345'))
      expect(await failureOf(env.readBytes('folder'))).toMatchObject({ code: 'EISDIR' })
      expect(await failureOf(env.readBytes('folder/a', { maxBytes: 4 }))).toMatchObject({ code: 'EFBIG' })
      expect(text(await env.readBytes('folder/a', { maxBytes: 5 }))).toBe('12345')
    })

    it('writes only over the expected content; otherwise it fails with ECHANGED and changes nothing', async () => {
      const env = await open()
      await env.writeBytes('a', bytes('one'), { expected: null })
      await env.writeBytes('a', bytes('two'), { expected: bytes('one') })
      const attempts = [
        env.writeBytes('a', bytes('x'), { expected: bytes('one') }),
        env.writeBytes('a', bytes('x'), { expected: null }),
        env.writeBytes('b', bytes('x'), { expected: bytes('') }),
      ]
      expect((await Promise.all(attempts.map(failureOf))).map(({ code }) => code)).toEqual(['ECHANGED', 'ECHANGED', 'ECHANGED'])
      expect([text(await env.readBytes('a')), await env.fileExists('b')]).toEqual(['two', false])
    })

    it('returns the kind of files, folders and links, and null if nothing exists', async () => {
      const env = await open()
      await env.writeFile('folder/a', '12345')
      await env.symlink('folder/a', 'link')
      await env.setMode('folder/a', 0o640)
      expect(await env.stat('link')).toMatchObject({ kind: 'file', size: 5, mode: 0o640, links: 1 })
      expect(await env.lstat('link')).toMatchObject({ kind: 'symlink' })
      expect(await env.stat('folder')).toMatchObject({ kind: 'folder' })
      expect([await env.stat('gone'), await env.lstat('gone/deeper')]).toEqual([null, null])
      expect(await env.readlink('link')).toBe('folder/a')
    })

    it('creates a folder with its mode, and deletes only an empty one', async () => {
      const env = await open()
      await env.createFolder('folder/inner', 0o750)
      expect(await env.stat('folder/inner')).toMatchObject({ kind: 'folder', mode: 0o750 })
      expect(await failureOf(env.createFolder('folder/inner', 0o755))).toMatchObject({ code: 'EEXIST' })
      expect(await failureOf(env.removeFolder('folder'))).toMatchObject({ code: 'ENOTEMPTY' })
      await env.removeFolder('folder/inner')
      await env.removeFolder('folder')
      expect(await env.stat('folder')).toBeNull()
    })

    it('P2-37: every path is relative to the working directory, whatever the folder of this process', async () => {
      const env = await open()
      await env.writeFile('inner/a', 'x')
      const absolute = `${env.workingDirectory()}/inner/a`
      const root = await env.realpath('.')
      expect(await Promise.all(['inner/a', './inner/../inner/a', absolute].map((path) => env.realpath(path)))).toEqual(
        Array.from({ length: 3 }, () => `${root}/inner/a`),
      )
      expect((await env.execCommand('pwd', { workingDir: 'inner' })).stdout).toBe(`${absolute.slice(0, -2)}\n`)
    })

    it('C9: resolves links, also of what does not exist yet', async () => {
      const env = await open()
      await env.writeFile('real/a', 'x')
      await env.symlink('real', 'alias')
      const real = await env.realpath('real')
      expect(await env.realpath('alias/a')).toBe(`${real}/a`)
      expect(await env.realpath('alias/new/file')).toBe(`${real}/new/file`)
      await env.symlink('real/not-yet', 'dangling')
      expect(await env.realpath('dangling')).toBe(`${real}/not-yet`)
    })

    it('renames files, and writes to the target of a link without replacing the link', async () => {
      const env = await open()
      await env.writeFile('a', 'x')
      await env.rename('a', 'b')
      await env.symlink('b', 'link')
      await env.writeFile('link', 'y')
      expect([await env.fileExists('a'), text(await env.readBytes('b')), (await env.lstat('link'))?.kind]).toEqual([false, 'y', 'symlink'])
    })
  })

  describe(`${name}: commands`, () => {
    it('P2-27, P2-43: captures stdout and stderr separately, with exit code and duration', async () => {
      const env = await open()
      const result = await env.execCommand('echo out; echo err >&2; exit 3')
      expect(result).toEqual({
        stdout: 'out\n',
        stderr: 'err\n',
        exitCode: 3,
        signal: null,
        timedOut: false,
        aborted: false,
        durationMs: expect.any(Number),
        bytes: 8,
        complete: true,
      })
    })

    it('P2-45, S-31: at the time limit everything ends, what was printed is kept, and the message names the limit', async () => {
      const env = await open()
      const result = await env.execCommand('echo before; sleep 60', { timeoutMs: 700 })
      expect(result).toMatchObject({ stdout: 'before\n', exitCode: null, timedOut: true, aborted: false })
      expect(result.stderr).toMatch(/timed out after 700 ms.*timeout_ms/)
    })

    it('P2-54: a long sleep with a limit of 100 ms times out, and the output says so', async () => {
      const env = await open()
      const { timedOut, stdout, stderr } = await env.execCommand('sleep 60', { timeoutMs: 100 })
      expect([timedOut, stdout + stderr]).toEqual([true, expect.stringContaining('timed out after 100 ms')])
    })

    it('P2-46, T-03: an abort ends the command and resolves as aborted', async () => {
      const env = await open()
      const controller = new AbortController()
      const result = await env.execCommand('echo started; sleep 60', {
        signal: controller.signal,
        timeoutMs: 60_000,
        onOutput: () => controller.abort(new Error('stop')),
      })
      expect(result).toMatchObject({ stdout: 'started\n', aborted: true, timedOut: false, exitCode: null })
      expect(await env.execCommand('echo never', { signal: controller.signal })).toMatchObject({ stdout: '', aborted: true })
    })

    it('P2-49: the caller’s variables win, and the working folder is the given one', async () => {
      const env = await open()
      await env.writeFile('sub/a', 'x')
      const result = await env.execCommand('echo "$PAGER $MINE"; ls', { workingDir: 'sub', envVars: { PAGER: 'less', MINE: 'yes' } })
      expect(result.stdout).toBe('less yes\na\n')
    })

    it('fault 28: standard input is at its end', async () => {
      const env = await open()
      expect(await env.execCommand('read x; echo "status $?"; cat')).toMatchObject({ stdout: 'status 1\n', exitCode: 0 })
    })

    it('sends every raw byte to the spool and the live output, without splitting characters', async () => {
      const env = await open()
      const raw: number[] = []
      let live = ''
      const command = String.raw`printf '\303'; sleep 0.05; printf '\251\n'`
      const result = await env.execCommand(command, {
        spool: (piece) => raw.push(...piece),
        onOutput: ({ text: piece }) => (live += piece),
      })
      expect([result.stdout, live, text(Uint8Array.from(raw))]).toEqual(['é\n', 'é\n', 'é\n'])
    })

    it('R-18: a persistent shell keeps folder and variables, and reports its end', async () => {
      const env = await open()
      const shell = await env.openShell()
      await shell.run('mkdir inner; cd inner; x=5')
      expect(await shell.run('echo "$x"')).toMatchObject({ stdout: '5\n', exitCode: 0, shellEnded: false })
      expect(shell.workingDirectory()).toBe(`${await env.realpath('.')}/inner`)
      expect(await shell.run('exit 3')).toMatchObject({ exitCode: 3, shellEnded: true })
      expect([shell.isAlive(), (await failureOf(shell.run('echo'))).code]).toEqual([false, 'ESHELLENDED'])
    })

    it('fault 31: a missing working folder fails with ENOENT and names the folder', async () => {
      const env = await open()
      expect(await failureOf(env.execCommand('true', { workingDir: 'gone' }))).toEqual({
        code: 'ENOENT',
        message: expect.stringContaining('gone'),
      })
    })

    it('starts a program by its arguments, without a shell', async () => {
      const env = await open()
      const result = await env.spawn(['printf', '%s|', '$HOME', '`id`', '*'])
      expect({ ...result, stdout: text(result.stdout) }).toEqual({ stdout: '$HOME|`id`|*|', stderr: '', exitCode: 0, capped: false })
      expect(await failureOf(env.spawn(['no-such-program-here']))).toMatchObject({ code: 'ENOENT' })
    })

    it('ends a program that prints more than allowed, takes too long or is aborted', async () => {
      const env = await open()
      const capped = await env.spawn(['yes'], { maxBytes: 10 })
      expect([text(capped.stdout), capped.capped]).toEqual(['y\ny\ny\ny\ny\n', true])
      expect(await failureOf(env.spawn(['sleep', '60'], { timeoutMs: 50 }))).toMatchObject({ code: 'ETIMEDOUT' })
      const reason = new Error('no longer wanted')
      await expect(env.spawn(['sleep', '60'], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    })
  })

  describe(`${name}: search`, () => {
    const search = async (): Promise<ExecutionEnvironment> => {
      const env = await open()
      await env.writeFile('src/a.ts', 'alpha\nBeta\ngamma alpha\n')
      await env.writeFile('src/b.js', 'alpha\n')
      await env.writeFile('.gitignore', 'out\n*.log\n')
      await env.writeFile('out/c.ts', 'alpha\n')
      await env.writeFile('d.log', 'alpha\n')
      return env
    }
    const line = (path: string, number: number, shown: string, isContext = false) => ({ path, line: number, text: shown, isContext })

    it('P2-50, T-22: finds lines by path and number, and honors .gitignore outside a repository too', async () => {
      const env = await search()
      expect(await env.grep('alpha', '.')).toEqual({
        matches: [line('src/a.ts', 1, 'alpha'), line('src/a.ts', 3, 'gamma alpha'), line('src/b.js', 1, 'alpha')],
        capped: false,
      })
    })

    it('P2-29, P2-50: supports case, include pattern and context lines', async () => {
      const env = await search()
      expect((await env.grep('beta', '.', { caseSensitive: false })).matches).toEqual([line('src/a.ts', 2, 'Beta')])
      expect(await env.grep('beta', '.')).toEqual({ matches: [], capped: false })
      const around = await env.grep('Beta', '.', { includePattern: '*.ts', contextLines: 1 })
      expect(around.matches).toEqual([
        line('src/a.ts', 1, 'alpha', true),
        line('src/a.ts', 2, 'Beta'),
        line('src/a.ts', 3, 'gamma alpha', true),
      ])
    })

    it('T-10: limits the total number of matches, not those per file', async () => {
      const env = await search()
      const { matches, capped } = await env.grep('alpha', '.', { maxResults: 2 })
      expect([matches.length, capped]).toEqual([2, true])
      expect(await env.grep('alpha', '.', { maxResults: 3 })).toMatchObject({ capped: false })
    })

    it('T-10: no match is an empty list, a pattern is never a shell word', async () => {
      const env = await search()
      expect(await env.grep('nowhere', '.')).toEqual({ matches: [], capped: false })
      expect(await env.grep('$(touch made); touch made', '.')).toEqual({ matches: [], capped: false })
      expect(await env.grep('--files', '.')).toEqual({ matches: [], capped: false })
      expect(await env.fileExists('made')).toBe(false)
    })

    it('fault 21: an invalid pattern fails with EINVAL and a reason', async () => {
      const env = await search()
      expect(await failureOf(env.grep('a(b', '.'))).toEqual({ code: 'EINVAL', message: expect.stringMatching(/a\(b|group/i) })
    })

    it('searches one file by its path, even an ignored one, and fails for a missing path', async () => {
      const env = await search()
      expect((await env.grep('alpha', 'd.log')).matches).toEqual([line('d.log', 1, 'alpha')])
      expect(await failureOf(env.grep('alpha', 'gone'))).toMatchObject({ code: 'ENOENT' })
    })

    it(`${searchesLines ? 'refuses to find' : 'finds'} matches that span lines when asked`, async () => {
      const env = await search()
      if (searchesLines) {
        const refused = failureOf(env.grep(String.raw`alpha\nBeta`, '.', { multiline: true }))
        return expect(await refused).toMatchObject({ code: 'EINVAL' })
      }
      expect((await env.grep(String.raw`alpha\nBeta`, '.', { multiline: true })).matches).toEqual([
        line('src/a.ts', 1, 'alpha'),
        line('src/a.ts', 2, 'Beta'),
      ])
    })

    it('P2-51, D-11, T-22: globs newest first, honoring .gitignore', async () => {
      const env = await search()
      const first = await env.glob('**/*.{ts,js}', '.')
      expect({ ...first, paths: first.paths.toSorted() }).toEqual({ paths: ['src/a.ts', 'src/b.js'], total: 2 })
      expect(await env.glob('**/nothing', '.')).toEqual({ paths: [], total: 0 })
      expect(await failureOf(env.glob('../**', '.'))).toMatchObject({ code: 'EINVAL' })
    })
  })

  it(`${name}: P2-31, P2-52, D-14, DESIGN §5: has every member, and knows its folder and system immediately`, async () => {
    const env = await open()
    const members = wordList(`
  readFile writeFile deleteFile fileExists listDirectory execCommand grep glob initialize cleanup workingDirectory platform
  osVersion readBytes writeBytes stat lstat realpath readlink symlink rename setMode createFolder removeFolder spawn open openShell
`)
    expect(members.filter((member) => typeof Reflect.get(env, member) !== 'function')).toEqual([])
    expect([typeof env.platform(), typeof env.osVersion(), await env.realpath('.')]).toEqual([
      'string',
      'string',
      await env.realpath(env.workingDirectory()),
    ])
  })
}
