import { once } from 'node:events'
import { access, chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { hasNoCopies } from '../environment/copy/support.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parseRunFlags } from '../../main/headless/start/flags.ts'
import { PROVIDERS } from '../../main/providers/provider-registry.ts'
import { call, calls, httpError, refusingUrl, say, type Script } from '../support/scripted-model.ts'
import { type AgentOutcome, ofKind, ROOT, runAgent } from './support/agent-process.ts'
import { KEY, place } from './support/model-place.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const troubleOf = (outcome: AgentOutcome) => ofKind(outcome, 'ERROR').map(({ error }) => error)
const saidOf = ({ stderr }: AgentOutcome): readonly string[] => stderr.trimEnd().split('\n')
/** Matches the sentence that says what was kept and where. */
const keptIn = (outcome: AgentOutcome): unknown =>
  expect.stringMatching(new RegExp(`^(Your message|Everything|The).* \\(session ${ofKind(outcome, 'SESSION_START')[0]?.sessionId} in /`))
const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

describe('exit code', () => {
  test('is 0 when the agent finishes normally', async () => {
    const at = await place([say('Nothing to do.')])
    const outcome = await runAgent(['Look around'], at)
    expect({ code: outcome.code, stderr: outcome.stderr }).toEqual({ code: 0, stderr: '' })
    expect(ofKind(outcome, 'PROCESSING_END')).toEqual([{ kind: 'PROCESSING_END', reason: 'completed' }])
  })

  test('is 1 when the round limit is reached', async () => {
    const at = await place(() => calls(call('glob', { pattern: '*' })))
    const outcome = await runAgent(['--max-rounds', '2', 'Go on for ever'], at)
    expect(outcome.code).toBe(1)
    expect(ofKind(outcome, 'TURN_LIMIT')).toEqual([{ kind: 'TURN_LIMIT', reason: 'max_tool_rounds', limit: 2 }])
    expect(at.model.requests).toHaveLength(2)
  })

  test.each([
    [[], 'The task is missing.'],
    [['one', 'two'], 'Put the task in quotes'],
    [['--approve', 'some', 'x'], '--approve takes none, edits, all, not "some".'],
    [['--max-rounds', '0', 'x'], '--max-rounds takes a whole number from 1.'],
    [['--provider', 'nobody', 'x'], 'There is no provider "nobody".'],
    [['--unknown', 'x'], 'There is no option --unknown.'],
  ])('is 2 for invalid arguments: %j', async (args, words) => {
    const outcome = await runAgent(args, { cwd: temporaryFolder('project'), data: temporaryFolder('data') })
    expect(outcome.code).toBe(2)
    expect(outcome.stderr).toContain(words)
    expect(outcome.stdout).toBe('')
  })

  test('is 0 for help, which goes to standard output', async () => {
    const help = parseRunFlags(['--help'], '/')
    const outcome = await runAgent(['--help'], { cwd: temporaryFolder('project'), data: temporaryFolder('data') })
    expect({ code: outcome.code, stdout: outcome.stdout, stderr: outcome.stderr }).toEqual({
      code: 0,
      stdout: help.ok ? '' : help.failure.message,
      stderr: '',
    })
  })

  const missing = PROVIDERS.filter(({ available }) => !available).map(({ id }) => id)
  test.skipIf(missing.length === 0)(`is 2 for a provider without an adapter (currently: ${missing.join(', ') || 'none'})`, async () => {
    for (const id of missing) {
      const outcome = await runAgent(['--provider', id, 'x'], {
        cwd: temporaryFolder('project'),
        data: temporaryFolder('data'),
      })
      expect({ code: outcome.code, stdout: outcome.stdout }).toEqual({ code: 2, stdout: '' })
      expect(outcome.stderr).toMatch(new RegExp(`^--provider does not take "${id}" yet\\. .*anthropic`))
    }
  })

  test('is 0 for a rehearsal with a refusal and signatures, after which the sample passes its tests', async () => {
    const outcome = await runAgent(['--rehearse'], { cwd: temporaryFolder('project'), data: temporaryFolder('data') })
    expect(outcome.code).toBe(0)
    const answers = ofKind(outcome, 'APPROVAL_ANSWERED').map(({ answer }) => answer.kind)
    expect(answers[0]).toBe('refused')
    // In a copy the test command changes nothing, so only the edit needs approval.
    expect(answers.filter((kind) => kind === 'signed')).toHaveLength(hasNoCopies ? 2 : 1)
    const sample = ofKind(outcome, 'SESSION_START')[0]?.cwd ?? ''
    expect([sample, await exists(sample)]).toEqual([expect.stringContaining('invoices-'), false])
  })
})

describe('--approve', () => {
  const writes: Script = [
    calls(call('write_file', { file_path: 'new.txt', content: 'x\n' }), call('shell', { command: 'echo ran > ran.txt' })),
    say('Done.'),
  ]

  test('none, without a terminal: everything with effects is refused immediately, and the model gets the reason', async () => {
    const at = await place(writes)
    const outcome = await runAgent(['Write it'], at)
    expect(ofKind(outcome, 'TOOL_CALL_END').map((end) => end.outcome)).toEqual(['refused', 'refused'])
    expect(Buffer.from((await at.model.request(1)).bytes).toString()).toContain('Nobody can sign this call')
    expect([outcome.code, outcome.stderr]).toEqual([
      0,
      '2 requests were refused, because nobody could sign. Run the task in a terminal to be asked, or allow more: --approve edits, --approve all.\n',
    ])
    expect([await exists(join(at.cwd, 'new.txt')), await exists(join(at.cwd, 'ran.txt'))]).toEqual([false, false])
  })

  test('edits: files inside the folder are written, but without a sandbox commands are refused', async () => {
    const at = await place(writes)
    const outcome = await runAgent(['--approve', 'edits', '--sandbox', 'off', 'Write it'], at)
    expect(ofKind(outcome, 'TOOL_CALL_END').map((end) => end.outcome)).toEqual(['done', 'refused'])
    expect(Buffer.from((await at.model.request(1)).bytes).toString()).toContain('with --approve edits, which allows only edits inside')
    expect(outcome.stderr).toMatch(/^1 request was refused, .* to be asked, or allow more: --approve all\.\n$/u)
    expect([await exists(join(at.cwd, 'new.txt')), await exists(join(at.cwd, 'ran.txt'))]).toEqual([true, false])
  })

  test('all: commands run too, but control files and effects outside the folder are still refused', async () => {
    const outside = temporaryFolder('outside')
    const at = await place([
      calls(
        call('shell', { command: 'echo ran > ran.txt' }),
        call('write_file', { file_path: '.git/hooks/pre-commit', content: 'x' }),
        call('write_file', { file_path: join(outside, 'new.txt'), content: 'x' }),
      ),
      say('Done.'),
    ])
    const outcome = await runAgent(['--approve', 'all', 'Write it'], at)
    expect(ofKind(outcome, 'TOOL_CALL_END').map((end) => end.outcome)).toEqual(['done', 'refused', 'refused'])
    expect(Buffer.from((await at.model.request(1)).bytes).toString()).toContain('this needs a signature with every value of --approve.')
    expect(outcome.stderr).toMatch(
      /^2 requests were refused, .* Run the task in a terminal to be asked; no value of --approve allows it\.\n$/u,
    )
    expect(await readFile(join(at.cwd, 'ran.txt'), 'utf8')).toBe('ran\n')
    expect([await exists(join(at.cwd, '.git')), await exists(join(outside, 'new.txt'))]).toEqual([false, false])
  })
})

test('commands run on pipes, or on a pty with --pty', async () => {
  const command = 'test -t 1 && echo terminal || echo pipe'
  for (const [flags, words] of [
    [[], 'pipe'],
    [['--pty'], 'terminal'],
  ] as const) {
    const at = await place([calls(call('shell', { command }), call('bash', { command })), say('Done.')])
    const outcome = await runAgent(['--approve', 'all', ...flags, 'Look'], at)
    expect(ofKind(outcome, 'TOOL_CALL_END').map(({ output }) => output.split('\n')[0])).toEqual([words, words])
  }
})

describe('invalid input gives a clear message and loses nothing', () => {
  test('a folder that does not exist', async () => {
    const data = temporaryFolder('data')
    const outcome = await runAgent(['x'], { cwd: join(data, 'nowhere'), data })
    expect(outcome.code).toBe(1)
    expect(outcome.stderr).toContain('nowhere')
    expect(outcome.stderr.trim().split('\n')).toHaveLength(3)
  })

  test('no key', async () => {
    const outcome = await runAgent(['x'], { cwd: temporaryFolder('project'), data: temporaryFolder('data') })
    expect(outcome.code).toBe(1)
    const todo = 'Set ANTHROPIC_API_KEY in the environment and start again, or play the rehearsal, which needs no key: --rehearse'
    expect(troubleOf(outcome)).toMatchObject([{ code: 'no_key', what: 'No key for Anthropic is set.', todo }])
    expect(outcome.events.map(({ kind }) => kind)).not.toContain('REQUEST_SENT')
    expect(saidOf(outcome)).toEqual(['No key for Anthropic is set.', keptIn(outcome), todo])
    expect(ofKind(outcome, 'USER_INPUT').map(({ text }) => text)).toEqual(['x'])
  })

  test('a wrong key: one request is sent, and the key is nowhere in the output', async () => {
    const at = await place(() => httpError(401, 'authentication_error', `invalid x-api-key ${KEY}`))
    const outcome = await runAgent(['x'], at)
    expect(outcome.code).toBe(1)
    expect(troubleOf(outcome)).toMatchObject([{ code: 'authentication' }])
    expect(saidOf(outcome).slice(1)).toEqual([keptIn(outcome), 'Set ANTHROPIC_API_KEY to another key, then start again.'])
    expect(at.model.requests).toHaveLength(1)
    expect(outcome.stdout + outcome.stderr).not.toContain(KEY)
  })

  test('a server that cannot be reached', async () => {
    const at = await place([])
    const url = await refusingUrl()
    const outcome = await runAgent(['x'], { ...at, env: { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: url } })
    expect(outcome.code).toBe(1)
    expect(troubleOf(outcome)).toMatchObject([{ code: 'network' }])
    expect(saidOf(outcome)).toEqual([
      expect.stringContaining(new URL(url).host),
      keptIn(outcome),
      'Check that the server runs and can be reached, and that its address (--base-url or ANTHROPIC_BASE_URL) is correct, then start again.',
    ])
  })

  test('a server that stops answering is abandoned after --idle-limit milliseconds', async () => {
    const at = await place(() => new Promise(() => {}))
    const outcome = await runAgent(['--idle-limit', '400', 'x'], at)
    expect([outcome.code, troubleOf(outcome).map(({ code }) => code)]).toEqual([1, ['idle']])
  })

  test('a custom certificate can be allowed only with NODE_EXTRA_CA_CERTS, and the error message names this variable', async () => {
    const at = await place([])
    const tls = join(ROOT, 'test/fixtures/tls')
    const server = createServer({
      cert: await readFile(join(tls, 'loopback.cert.pem')),
      key: await readFile(join(tls, 'loopback.key.pem')),
    }).on('request', (_request, response) => response.writeHead(401, { 'content-type': 'application/json' }).end('{}'))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const env = { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: `https://127.0.0.1:${port}` }
    const without = await runAgent(['x'], { ...at, env })
    expect([without.code, troubleOf(without).map(({ code }) => code), saidOf(without).at(-1)]).toEqual([
      1,
      ['network'],
      expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    ])
    const known = await runAgent(['x'], { ...at, env: { ...env, NODE_EXTRA_CA_CERTS: join(tls, 'loopback.cert.pem') } })
    expect([known.code, troubleOf(known).map(({ code }) => code)]).toEqual([1, ['authentication']])
  })

  test('for arguments that are not JSON, or a tool that does not exist, the model gets an error result', async () => {
    const at = await place([calls(call('read_file', '{"file_path": "a'), call('teleport', { to: 'Mars' })), say('I see.')])
    const outcome = await runAgent(['x'], at)
    expect(outcome.code).toBe(0)
    expect(ofKind(outcome, 'TOOL_CALL_END').map((end) => [end.outcome, end.isError])).toEqual([
      ['failed', true],
      ['failed', true],
    ])
    const [, teleport] = ofKind(outcome, 'TOOL_CALL_END')
    expect(teleport?.modelText).toMatch(/^Unknown tool: teleport\. Available tools: read_file, .*\bshell\b.*\.$/)
    expect(teleport?.output).toBe('The agent called a tool that does not exist.')
  })

  test('a data folder that is a file, and a file that is not a database, are left unchanged', async () => {
    const at = await place([say('x')])
    const file = join(at.cwd, 'a-file')
    await writeFile(file, 'mine')
    const outcome = await runAgent(['x'], { ...at, data: file })
    expect(outcome.code).toBe(1)
    expect(outcome.stderr.trim().split('\n')).toHaveLength(3)
    expect(await readFile(file, 'utf8')).toBe('mine')

    await writeFile(join(at.data, 'countersign.db'), 'no database at all, but somebody’s bytes')
    const second = await runAgent(['x'], at)
    expect(second.code).toBe(1)
    expect(second.stderr.trim().split('\n')).toHaveLength(3)
    expect(await readFile(join(at.data, 'countersign.db'), 'utf8')).toBe('no database at all, but somebody’s bytes')
  })
})

test.skipIf(process.getuid?.() !== 0)('a folder that the process’s user may not read is reported in a message', async () => {
  const { spawnSync } = await import('node:child_process')
  const data = temporaryFolder('data')
  const closed = join(temporaryFolder('closed'), 'shut')
  await mkdir(closed, { mode: 0o700 })
  await chmod(join(closed, '..'), 0o755)
  await chmod(data, 0o777)
  const root = join(import.meta.dirname, '../..')
  const args = [
    '--reuid',
    '65534',
    '--regid',
    '65534',
    '--clear-groups',
    process.execPath,
    'main/run.ts',
    '--cwd',
    closed,
    '--data',
    join(data, 'own'),
    'x',
  ]
  const outcome = spawnSync('setpriv', args, { cwd: root, encoding: 'utf8', env: { PATH: process.env['PATH'] } })
  expect(outcome.status).toBe(1)
  expect(outcome.stderr).toContain(closed)
  expect(outcome.stderr.trim().split('\n')).toHaveLength(3)
})
