import { execFile } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, stat, symlink, unlink, writeFile } from 'node:fs/promises'
import { release } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type AgentOptions, createAgent, createLocalExecutionEnvironment, providerProfile } from '../../../main/agent-entry.ts'
import { hostEnvironment } from '../../../main/embed/environments/specified-environment.ts'
import { call, calls, say, type Script, startScriptedModel } from '../../support/scripted-model.ts'
import type * as seed from '../seed-types.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

async function folder(): Promise<string> {
  const path = temporaryFolder('host')
  return path
}

/**
 * An environment as written by a host that follows the seed plan: it has the plan's thirteen members and nothing else. It records the
 * commands that it runs.
 */
function plainEnvironment(root: string, commands: string[] = [], lifecycle: string[] = []): seed.ExecutionEnvironment {
  const at = (path: string): string => resolve(root, path)
  const run = (command: string, timeoutMs = 10_000, workingDir = '.', envVars: Readonly<Record<string, string>> = {}) =>
    new Promise<seed.ExecResult>((done) => {
      commands.push(command)
      const begin = performance.now()
      const options = { cwd: at(workingDir), env: { ...process.env, ...envVars }, timeout: timeoutMs, maxBuffer: 2 ** 28 }
      execFile('/bin/sh', ['-c', command], options, (error, stdout, stderr) => {
        const exitCode = typeof error?.code === 'number' ? error.code : error ? 143 : 0
        done({ stdout, stderr, exitCode, timedOut: error?.killed ?? false, durationMs: performance.now() - begin })
      })
    })
  return {
    async readFile(path, offset = 0, limit) {
      const lines = (await readFile(at(path), 'utf8')).split('\n').slice(offset, limit === undefined ? undefined : offset + limit)
      return lines.map((line, index) => `${String(offset + index + 1).padStart(6)}\t${line}`).join('\n')
    },
    async writeFile(path, content) {
      await mkdir(dirname(at(path)), { recursive: true })
      await writeFile(at(path), content)
    },
    deleteFile: (path) => unlink(at(path)),
    fileExists: (path) =>
      stat(at(path)).then(
        () => true,
        () => false,
      ),
    listDirectory: async (path) =>
      (await readdir(at(path), { withFileTypes: true })).map((entry) => ({ name: entry.name, isDir: entry.isDirectory(), size: null })),
    execCommand: run,
    grep: async (pattern, path) => (await run(`grep -rnH -e '${pattern}' '${path}' | sed 's#^\\./##'`)).stdout,
    glob: async (pattern) =>
      (await run(`find . -name '${pattern.split('/').at(-1) ?? ''}' | sed 's#^\\./##'`)).stdout.split('\n').filter(Boolean),
    initialize: async () => void lifecycle.push('initialize'),
    cleanup: async () => void lifecycle.push('cleanup'),
    workingDirectory: () => root,
    platform: () => process.platform,
    osVersion: () => release(),
  }
}

describe('an environment with only the thirteen documented members', () => {
  test('reads and writes exact bytes, links and modes by running commands', async () => {
    const root = await folder()
    const env = hostEnvironment(plainEnvironment(root))
    const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index % 256)
    await env.writeBytes('bin', bytes, { expected: null })
    expect(Buffer.compare(await readFile(join(root, 'bin')), bytes)).toBe(0)
    expect(Buffer.compare(await env.readBytes('bin'), bytes)).toBe(0)
    expect(await readdir(root)).toEqual(['bin'])
    const text = Buffer.from('\uFEFFone\r\ntwo')
    await env.writeBytes("it's a file.txt", text, { expected: null, mode: 0o750 })
    expect(await readFile(join(root, "it's a file.txt"))).toEqual(text)
    expect(await env.stat("it's a file.txt")).toMatchObject({ kind: 'file', size: text.length, mode: 0o750, links: 1 })
    await expect(env.writeBytes('bin', text, { expected: text })).rejects.toMatchObject({ code: 'ECHANGED' })
    await symlink('bin', join(root, 'link'))
    expect([(await env.lstat('link'))?.kind, (await env.stat('link'))?.kind, await env.readlink('link')]).toEqual([
      'symlink',
      'file',
      'bin',
    ])
    expect([await env.realpath('link'), await env.realpath('link/../none/such')]).toEqual([join(root, 'bin'), join(root, 'none/such')])
    expect(await env.stat('none')).toBeNull()
    await env.setMode('bin', 0o600)
    await env.rename('bin', 'moved')
    expect((await stat(join(root, 'moved'))).mode & 0o777).toBe(0o600)
    await env.createFolder('made/inner', 0o700)
    expect((await stat(join(root, 'made/inner'))).mode & 0o777).toBe(0o700)
    await expect(env.createFolder('made', 0o700)).rejects.toMatchObject({ code: 'EEXIST' })
    await expect(env.removeFolder('made')).rejects.toMatchObject({ code: 'ENOTEMPTY' })
    await env.removeFolder('made/inner')
    expect(await readdir(join(root, 'made'))).toEqual([])
  })

  test('gives a reason for an unreadable file', async () => {
    const root = await folder()
    const env = hostEnvironment(plainEnvironment(root))
    await mkdir(join(root, 'sub'))
    await writeFile(join(root, 'big'), 'x'.repeat(100))
    await expect(env.readBytes('none')).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(env.readBytes('sub')).rejects.toMatchObject({ code: 'EISDIR' })
    await expect(env.readBytes('big', { maxBytes: 10 })).rejects.toMatchObject({ code: 'EFBIG' })
    await expect(env.openShell()).rejects.toMatchObject({ code: 'ENOSHELL' })
  })

  test('lets the built-in tools edit without changing any other byte (T-01)', async () => {
    const root = await folder()
    const env = plainEnvironment(root)
    await writeFile(join(root, 'a.txt'), 'one\r\ntwo\r\nthree')
    await chmod(join(root, 'a.txt'), 0o755)
    const { toolRegistry } = providerProfile('anthropic')
    const run = (name: string, args: Record<string, unknown>): Promise<string> =>
      toolRegistry.get(name)?.executor(args, env) ?? Promise.reject(new Error(name))
    await run('edit_file', { file_path: 'a.txt', old_string: 'two', new_string: 'TWO' })
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('one\r\nTWO\r\nthree')
    expect((await stat(join(root, 'a.txt'))).mode & 0o777).toBe(0o755)
    expect(await run('grep', { pattern: 'TWO' })).toContain('a.txt:2:TWO')
    expect(await run('glob', { pattern: '*.txt' })).toBe('a.txt')
  })
})

describe('an agent in an environment given by its host', () => {
  const begun = async (script: Script, options: Partial<AgentOptions> & { readonly cwd?: string }) => {
    const model = await startScriptedModel(script)
    onTestFinished(() => model.close())
    const agent = await createAgent({ provider: 'anthropic', baseUrl: model.url, apiKey: 'test-key', policy: 'full', ...options })
    onTestFinished(() => agent.close())
    return { agent, session: await agent.createSession() }
  }

  test('edits and runs commands in that environment, which is started and ended once', async () => {
    const root = await folder()
    const commands: string[] = []
    const lifecycle: string[] = []
    const { agent, session } = await begun(
      [
        calls(call('write_file', { file_path: 'sub/new.txt', content: 'from the agent\n' })),
        calls(call('edit_file', { file_path: 'sub/new.txt', old_string: 'agent', new_string: 'host' })),
        calls(call('shell', { command: 'cat sub/new.txt' })),
        say('Done.'),
      ],
      { environment: plainEnvironment(root, commands, lifecycle) },
    )
    expect(await session.submit('go')).toMatchObject({ ended: 'completed' })
    expect(await readFile(join(root, 'sub/new.txt'), 'utf8')).toBe('from the host\n')
    expect(commands).toContain('cat sub/new.txt')
    expect(JSON.stringify(session.history())).toContain('from the host')
    await session.close()
    const other = await agent.createSession()
    await other.close()
    await agent.close()
    expect(lifecycle).toEqual(['initialize', 'cleanup'])
  })

  test('can change its environment between two calls, but not its folder', async () => {
    const root = await folder()
    const commands: string[] = []
    const script = [calls(call('shell', { command: 'echo local' })), say('1'), calls(call('shell', { command: 'echo theirs' })), say('2')]
    const { agent, session } = await begun([...script, calls(call('shell', { command: 'echo again' })), say('3')], { cwd: root })
    await session.submit('one')
    await agent.useEnvironment(plainEnvironment(root, commands))
    await session.submit('two')
    await agent.useEnvironment(null)
    await session.submit('three')
    expect(commands.filter((command) => command.startsWith('echo'))).toEqual(['echo theirs'])
    const elsewhere = createLocalExecutionEnvironment(await folder())
    await expect(agent.useEnvironment(elsewhere)).rejects.toThrow('The environment works in')
  })
})
