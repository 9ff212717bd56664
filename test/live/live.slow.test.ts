import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { onTestFinished, describe, expect, test } from 'vitest'
import type { RemoteProviderId } from '../../main/providers/providers.ts'
import { call, calls, httpError, say, type Script, startScriptedModel } from '../support/scripted-model.ts'

const ROOT = join(import.meta.dirname, '../..')
const KEYS = ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY', 'OPENAI_COMPATIBLE_BASE_URL']
const KEY = 'test-key-0123456789'

/** Each provider with a key and with the scripted model's address in place of its own (D-49). */
const WITH_KEY: readonly (readonly [provider: RemoteProviderId, model: readonly string[], env: (url: string) => Record<string, string>])[] =
  [
    ['anthropic', [], (url) => ({ ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: url })],
    ['openai', [], (url) => ({ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${url}/v1` })],
    ['gemini', [], (url) => ({ GEMINI_API_KEY: KEY, GEMINI_BASE_URL: url })],
    [
      'openai-compatible',
      ['--model', 'qwen3-coder'],
      (url) => ({ OPENAI_COMPATIBLE_API_KEY: KEY, OPENAI_COMPATIBLE_BASE_URL: `${url}/v1` }),
    ],
  ]

/** Runs the script as `npm run live` does, with these variables and no other keys. */
async function live(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const cleared = Object.fromEntries(KEYS.map((name) => [name, '']))
  const child = spawn(process.execPath, ['--import', './main/preflight.mjs', 'test/live/live.ts', ...args], {
    cwd: ROOT,
    env: { ...process.env, ...cleared, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill())
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, said }
}

async function against(script: Script) {
  const model = await startScriptedModel(script)
  onTestFinished(() => model.close())
  return live(['--provider', 'anthropic'], { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: model.url })
}

describe('first steps with a real service (S-45)', { timeout: 120_000 }, () => {
  test.each<RemoteProviderId>(['anthropic', 'openai', 'gemini', 'openai-compatible'])(
    '%s is skipped with a message if there is no key',
    async (provider) => {
      expect(await live(['--provider', provider])).toEqual({
        code: 0,
        said: expect.stringMatching(/^Skipped: there is no (key|address) for .+\n$/) as string,
      })
    },
  )

  test.each([[[]], [['--provider', 'nobody']], [['--provider', 'rehearsal']], [['--what']]])(
    'invalid arguments print the usage: %j',
    async (args) => {
      expect(await live(args)).toEqual({ code: 2, said: expect.stringContaining('npm run live -- --provider NAME') as string })
    },
  )

  test('a service that refuses makes every step fail, each with the reason', async () => {
    const { code, said } = await against(() => httpError(401, 'authentication_error', 'invalid x-api-key'))
    expect([code, said.match(/^✗ .+: the turn ended as .+rejected the key/gm)?.length]).toEqual([1, 7])
    expect(said).not.toContain(KEY)
  })

  test('a model that only claims success fails every step', async () => {
    const { code, said } = await against(() => say('Done: hello and again, one endpoint, tests written, 10000 ms.'))
    expect([code, said.match(/^✗/gm)?.length]).toEqual([1, 7])
  })

  // The providers run in parallel, because most of the time is spent waiting for a command that is stopped after ten seconds.
  test('with a key, a model that does the work passes with every provider (S-45, AC12.1)', async () => {
    const ran = WITH_KEY.map(async ([provider, model, env]) => {
      const server = await startScriptedModel(({ json }) => answerTo(JSON.stringify(json)))
      onTestFinished(() => server.close())
      const { code, said } = await live(['--provider', provider, ...model], env(server.url))
      const formats = [...new Set(server.requests.map(({ path }) => path.replace(/models\/[^:]+/, 'models/M')))]
      return [provider, code, said.match(/^✗.*/gm), /^7 of 7 steps\./m.test(said), said.includes(KEY), formats]
    })
    expect(await Promise.all(ran)).toEqual([
      ['anthropic', 0, null, true, false, ['/v1/messages']],
      ['openai', 0, null, true, false, ['/v1/responses']],
      ['gemini', 0, null, true, false, ['/v1beta/models/M:streamGenerateContent?alt=sse']],
      ['openai-compatible', 0, null, true, false, ['/v1/chat/completions']],
    ])
  })
})

const write = (path: string, content: string) => call('write_file', { file_path: path, content })
const shell = (command: string, more: object = {}) => call('shell', { command, ...more })

/** The text of each task with the calls that carry it out, the newest task first. */
const DEEDS: readonly (readonly [task: string, deed: ReturnType<typeof calls>])[] = [
  ['Run `sleep 30`', calls(shell('sleep 30', { timeout_ms: 10_000 }))],
  ['Let a subagent', calls(call('task', { agent_type: 'code', prompt: 'WRITE-TESTS' }))],
  ['First look at the files', calls(shell('ls'))],
  ['`cat big.txt`', calls(shell('cat big.txt'))],
  ['Run hello.py', calls(shell("printf 'hello\\nagain\\n'"))],
  ['Add a second print', calls(write('hello.py', "print('hello')\nprint('again')\n"))],
  ['Create hello.py', calls(write('hello.py', "print('hello')\n"))],
]

/** Matches the element that contains a call's result, in each wire format. */
const RESULT = /"tool_result"|"function_call_output"|"role":"tool"|"functionResponse"/

/** Makes the calls that the newest task asks for, and ends the turn once their results follow that task. */
function answerTo(said: string) {
  if (!said.includes('Create hello.py')) return RESULT.test(said) ? say('Tests written.') : calls(write('test_hello.py', 'import hello\n'))
  const [task, deed] = DEEDS.find(([words]) => said.includes(words)) ?? ['', say('Nothing to do.')]
  if (task === 'First look at the files' && said.includes('Just one endpoint') && !said.includes('app.get'))
    return calls(write('app.py', '@app.get("/health")\n'))
  return RESULT.test(said.slice(said.lastIndexOf(task))) ? say('Done.') : deed
}
