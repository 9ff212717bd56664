import { readFile, writeFile } from 'node:fs/promises'
import { release } from 'node:os'
import { join } from 'node:path'
import { describe, expect, expectTypeOf, test, vi } from 'vitest'
import * as entry from '../../main/agent-entry.ts'
import type * as seed from './seed-types.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

// A host that was written against the seed plans can use the entry unchanged. If that is no longer true, these lines do not compile and
// `npm run types` fails.
const createEnvironment: (workingDir: string, envVarPolicy?: seed.EnvVarPolicy) => seed.ExecutionEnvironment =
  entry.createLocalExecutionEnvironment
const createRegistry: (initial?: ReadonlyArray<seed.RegisteredTool>) => seed.ToolRegistry = entry.createToolRegistry
const dispatch: typeof seed.dispatchToolCalls = entry.dispatchToolCalls
const truncate: typeof seed.truncateToolOutput = entry.truncateToolOutput
const profileOf: (provider: seed.ProfileId) => seed.ProviderProfile = entry.providerProfile

async function folder(): Promise<string> {
  const path = temporaryFolder('embed')
  return path
}

const environment = async (policy?: seed.EnvVarPolicy): Promise<seed.ExecutionEnvironment> => createEnvironment(await folder(), policy)

describe('the documented types (S1 to S5)', () => {
  test('each of the thirteen event kinds has its documented payload (P2-14 to P2-23)', () => {
    type Own<K extends seed.EventKind> = Extract<entry.SessionEvent, { kind: K }>
    type Theirs<K extends seed.EventKind> = Extract<seed.SessionEvent, { kind: K }>
    type Differs = { [K in seed.EventKind]: Own<K> extends Theirs<K> ? never : K }[seed.EventKind]
    // The event inside a subagent's event may be of a kind that the documented types do not have.
    expectTypeOf<Differs>().toEqualTypeOf<'SUBAGENT_EVENT'>()
    expectTypeOf<Own<'SUBAGENT_EVENT'>['event']>().toEqualTypeOf<entry.SessionEvent>()
  })

  test('configuration, turns and states have their documented types (P2-06 to P2-13)', () => {
    // Our configuration accepts more efforts than the three in the documented types.
    type WithoutEffort<T> = Omit<T, 'reasoningEffort'>
    expectTypeOf<WithoutEffort<entry.SessionConfig>>().toEqualTypeOf<WithoutEffort<Readonly<seed.SessionConfig>>>()
    expectTypeOf<seed.SessionConfig>().toExtend<entry.SessionConfig>()
    expectTypeOf<entry.SessionState>().toEqualTypeOf<seed.SessionState>()
    expectTypeOf<entry.Turn>().toExtend<seed.Turn>()
    expectTypeOf<entry.SystemPromptContext>().toEqualTypeOf<Readonly<seed.SystemPromptContext>>()
  })
})

describe('createLocalExecutionEnvironment(workingDir, envVarPolicy?) (S3)', () => {
  test('readFile numbers lines from 1 and counts offset from 0 (AC4.1)', async () => {
    const env = await environment()
    await env.writeFile('a/b.txt', 'one\ntwo\nthree\n')
    expect(await env.readFile('a/b.txt', 1, 1)).toBe('     2\ttwo')
    await expect(env.readFile('none.txt')).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('execCommand(command, timeoutMs?, workingDir?, envVars?) (S1, AC4.3)', async () => {
    const env = await environment()
    await env.writeFile('sub/x', '')
    const result = await env.execCommand('pwd; echo "$WORD"; echo err >&2; exit 3', 5_000, 'sub', { WORD: 'hello' })
    expect(result).toEqual({
      stdout: `${env.workingDirectory()}/sub\nhello\n`,
      stderr: 'err\n',
      exitCode: 3,
      timedOut: false,
      durationMs: expect.any(Number) as number,
    })
  })

  test('the second argument is the time limit in ms, and a timeout is reported with a numeric exit code (AC4.5)', async () => {
    const result = await (await environment()).execCommand('echo begun; sleep 30', 100)
    expect(result).toMatchObject({ timedOut: true, exitCode: 143, stdout: 'begun\n' })
    expect(result.stderr).toContain('timed out after 100 ms')
  })

  test('an additional last parameter is an abort signal that ends the command (T-03)', async () => {
    const env = entry.createLocalExecutionEnvironment(await folder())
    const stop = new AbortController()
    const heard: string[] = []
    const running = env.execCommand('echo up; sleep 30', undefined, undefined, undefined, {
      signal: stop.signal,
      onOutput: ({ text }) => {
        heard.push(text)
        stop.abort()
      },
    })
    expect(await running).toMatchObject({ timedOut: false, exitCode: 143 })
    expect(heard.join('')).toBe('up\n')
  })

  test.each([
    [undefined, ['', 'word', 'yes']],
    ['inherit_all', ['secret', 'word', 'yes']],
    ['inherit_none', ['', '', 'yes']],
  ] as const)('variables by policy %s (AC4.6)', async (policy, [secret, word, path]) => {
    vi.stubEnv('SEED_API_KEY', 'secret')
    vi.stubEnv('SEED_WORD', 'word')
    const env = await environment(policy)
    const { stdout } = await env.execCommand('echo "$SEED_API_KEY,$SEED_WORD,${PATH:+yes}"')
    expect(stdout.trim().split(',')).toEqual([secret, word, path])
  })

  test('grep returns a string, and glob returns a list of paths (S2)', async () => {
    const env = await environment()
    await env.writeFile('src/a.ts', 'const one = 1\nconst two = 2\n')
    await env.writeFile('src/b.md', 'TWO\n')
    expect(await env.grep('two', '.')).toBe('src/a.ts:2:const two = 2')
    expect(await env.grep('two', 'src', { includePattern: '*.ts', caseSensitive: false, contextLines: 1 })).toBe(
      'a.ts-1-const one = 1\na.ts:2:const two = 2',
    )
    expect(await env.grep('nothing at all', '.')).toBe('')
    expect(await env.glob('**/*.md', '.')).toEqual(['src/b.md'])
    expect(await env.glob('**/*.py', '.')).toEqual([])
  })

  test('the other members work as the seed documents say', async () => {
    const env = await environment()
    await env.initialize()
    await env.writeFile('a.txt', 'x')
    expect(await env.fileExists('a.txt')).toBe(true)
    expect(await env.listDirectory('.')).toEqual([{ name: 'a.txt', isDir: false, size: 1 }])
    await env.deleteFile('a.txt')
    await expect(env.deleteFile('a.txt')).rejects.toThrow()
    expect([env.platform(), env.osVersion()]).toEqual([process.platform, release()])
    await env.cleanup()
    await expect(createEnvironment(join(env.workingDirectory(), 'nowhere')).initialize()).rejects.toThrow()
  })

  test('wrong arguments are reported in a sentence', () => {
    expect(() => entry.createLocalExecutionEnvironment('')).toThrow('needs a folder')
    expect(() => entry.createLocalExecutionEnvironment('/', 'all' as never)).toThrow('"all" is not a policy')
  })
})

describe('createToolRegistry (P2-35, P2-36)', () => {
  const named = (name: string, says = name): seed.RegisteredTool => ({
    definition: { name, description: says, parameters: { type: 'object' } },
    executor: () => Promise.resolve(says),
  })

  test('registers, replaces, removes, lists', () => {
    const older = named('a', 'older')
    const registry = createRegistry([older, named('b')])
    const newer = named('a', 'newer')
    registry.register(newer)
    expect(registry.get('a')).toBe(newer)
    expect(registry.list().map(({ definition }) => definition.description)).toEqual(['newer', 'b'])
    expect(registry.definitions()).toEqual(registry.list().map(({ definition }) => definition))
    registry.unregister('a')
    expect(registry.get('a')).toBeNull()
    expect([createRegistry().list(), createRegistry().definitions()]).toEqual([[], []])
  })

  test.each([
    [{ definition: { name: '1a', description: '', parameters: { type: 'object' } }, executor: () => {} }, 'begin with a letter'],
    [{ definition: { name: 'a', description: '', parameters: { type: 'string' } }, executor: () => {} }, 'definition.parameters.type'],
    [{ definition: { name: 'a', description: '', parameters: { type: 'object' } } }, 'executor: it must be a function'],
    [null, 'cannot be used'],
  ])('refuses an invalid tool: %j', (tool, words) => {
    expect(() => createRegistry().register(tool as never)).toThrow(words)
  })
})

describe('dispatchToolCalls(calls, registry, env, parallel) (AC3)', () => {
  const parameters = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }

  test('an executor gets its arguments and the environment that the caller gave (AC3.1)', async () => {
    const env = await environment()
    const seen: unknown[] = []
    const executor: seed.ToolExecutor = (args, given) => {
      seen.push(args, given)
      return Promise.resolve('done')
    }
    const registry = createRegistry([{ definition: { name: 'count', description: '', parameters }, executor }])
    const results = await dispatch([{ toolCallId: '1', toolName: 'count', args: { n: 2 } }], registry, env, false)
    expect(results).toEqual([{ toolCallId: '1', output: 'done', isError: false }])
    expect(seen).toEqual([{ n: 2 }, env])
    expect(seen[1]).toBe(env)
  })
})

describe('providerProfile (S4)', () => {
  test.each([
    ['openai', 'apply_patch'],
    ['anthropic', 'edit_file'],
    ['gemini', 'list_dir'],
  ] as const)('%s gets a new registry with its own tools each time (AC2.1 to AC2.3, T-06)', (id, tool) => {
    const profile = profileOf(id)
    expect(profile.id).toBe(id)
    expect(profile.toolRegistry.get(tool)?.definition.name).toBe(tool)
    profile.toolRegistry.unregister(tool)
    expect(profileOf(id).toolRegistry.get(tool)).not.toBeNull()
  })

  test('its prompt lists branch, state and commits in the format of the seed documents, and ends with the user’s instruction', () => {
    const prompt = profileOf('anthropic').buildSystemPrompt({
      platform: 'linux',
      osVersion: '6.1',
      workingDirectory: '/work',
      date: '2026-11-22',
      model: 'claude-opus-5-5',
      gitBranch: 'topic',
      gitStatus: ' M a.ts\n?? b.ts\n?? c.ts\n',
      gitLog: 'abc First\ndef Second\n',
      projectDocs: '',
      userInstruction: 'Speak plainly.',
    })
    expect(prompt).toMatch(/branch at the start: topic/i)
    expect(prompt).toMatch(/1, untracked: 2/)
    expect(prompt).toContain('- abc First\n- def Second')
    expect(prompt.trimEnd().endsWith('Speak plainly.')).toBe(true)
  })

  test('its executors work as the seed documents say, and an edit adds no line numbers (P3-22 to P3-28, T-01)', async () => {
    const env = await environment()
    const { toolRegistry } = profileOf('anthropic')
    const run = (name: string, args: Record<string, unknown>): Promise<string> =>
      toolRegistry.get(name)?.executor(args, env) ?? Promise.reject(new Error(name))
    expect(await run('write_file', { file_path: 'src/a.txt', content: 'one\ntwo\n' })).toMatch(/8 bytes/)
    expect(await run('write_file', { file_path: 'src/a.txt', content: 'one\ntwo\nthree\n' })).toMatch(/14 bytes/)
    expect(await run('edit_file', { file_path: 'src/a.txt', old_string: 'two', new_string: 'TWO' })).toContain('TWO')
    expect(await readFile(join(env.workingDirectory(), 'src/a.txt'), 'utf8')).toBe('one\nTWO\nthree\n')
    expect(await run('read_file', { file_path: 'src/a.txt', offset: 2, limit: 1 })).toContain('     2\tTWO')
    expect(await run('read_file', { file_path: 'none.txt' })).toContain('none.txt')
    expect(await run('grep', { pattern: 'TWO' })).toContain('src/a.txt:2:TWO')
    expect(await run('glob', { pattern: '**/*.txt' })).toBe('src/a.txt')
    expect(await run('shell', { command: 'echo hi; exit 2' })).toMatch(/hi[\s\S]*2/)
  })

  test('the reference’s run_command takes its timeout in seconds (S8)', async () => {
    const registry = createRegistry(profileOf('anthropic').toolRegistry.list())
    const env = await environment()
    const calls = [{ toolCallId: '1', toolName: 'run_command', args: { command: 'sleep 0.2; echo slept', timeout: 5 } }]
    const [result] = await dispatch(calls, registry, env, false)
    expect(result).toMatchObject({ isError: false })
    expect(result?.output).toContain('slept')
  })
})

test('truncation exports its documented functions and tables (P3-01, P3-08 to P3-10)', async () => {
  expect(truncate('x'.repeat(1_001), 'write_file')).toMatch(/^\[WARNING: Tool output was truncated\. First 1 characters/)
  expect(entry.truncateChars('abcdef', 4, 'head_tail')).toMatch(/^ab\n\n\[WARNING: .* 2 characters were removed from the middle/)
  expect(entry.truncateLines('a\nb\nc\nd', 2)).toContain('WARNING')
  expect(entry.DEFAULT_CHAR_LIMITS).toMatchObject({ read_file: 50_000, shell: 30_000, spawn_agent: 20_000 } satisfies Partial<
    typeof seed.DEFAULT_CHAR_LIMITS
  >)
  expect(entry.DEFAULT_TRUNCATION_MODES).toMatchObject({ spawn_agent: 'head_tail', write_file: 'tail' })
  expect(entry.DEFAULT_LINE_LIMITS).toEqual({ shell: 256, grep: 200, glob: 500, read_file: null, edit_file: null })
})

test('environments can be wrapped by a logging and a read-only environment (S-29)', async () => {
  const path = await folder()
  await writeFile(join(path, 'a.txt'), 'one\n')
  const operations: string[] = []
  const env = entry.loggingEnvironment(entry.readOnlyEnvironment(entry.createLocalExecutionEnvironment(path)), ({ operation, failure }) => {
    operations.push(`${operation} ${failure?.code ?? 'done'}`)
  })
  expect(await env.readFile('a.txt')).toBe('     1\tone')
  await expect(env.writeFile('a.txt', 'two')).rejects.toMatchObject({ code: 'EROFS' })
  await expect(env.execCommand('true')).rejects.toMatchObject({ code: 'EROFS' })
  expect(operations).toEqual(['readFile done', 'writeFile EROFS', 'execCommand EROFS'])
})
