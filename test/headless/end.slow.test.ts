import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { anthropicFrames } from '../../main/providers/rehearsal/anthropic-frames.ts'
import { call, calls, gate, say } from '../support/scripted-model.ts'
import { agentArgs, type AgentOutcome, cleanEnv, ofKind, ROOT, runAgent, startAgent } from './support/agent-process.ts'
import { place } from './support/model-place.ts'
import { kept, storedEvents } from './support/stored-events.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/**
 * Returns an environment in which Node loads this code before ours. The code makes something happen at a moment that a test could not
 * hit.
 */
const before = (code: string): { readonly NODE_OPTIONS: string } => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}`,
})
/** A different call in each round. The same call would end the turn after 20 rounds, which may be before the reader of a pipe has left. */
const endless = ({ index }: { readonly index: number }) => calls(call('glob', { pattern: `*${index}` }))
const threeLines = ({ stderr }: Pick<AgentOutcome, 'stderr'>): readonly string[] => stderr.trimEnd().split('\n')

describe('a stop', () => {
  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'])('%s before the task begins takes effect: no request is sent', async (name) => {
    const at = await place([say('Never said.')])
    const early = before(`process.on('newListener', (n) => n === '${name}' && queueMicrotask(() => process.emit('${name}', '${name}')))`)
    const outcome = await runAgent(['x'], { ...at, env: { ...at.env, ...early } })
    expect({ code: outcome.code, requests: at.model.requests.length, stack: / at .*:\d+/.test(outcome.stderr) }).toEqual({
      code: 1,
      requests: 0,
      stack: false,
    })
    expect(threeLines(outcome)).toHaveLength(3)
    expect(threeLines(outcome)[0]).toBe('The run was stopped before the task began.')
    expect(await storedEvents(at.data)).toEqual([])
  })

  test('SIGTERM during an answer ends the turn, and the log says that it was stopped', async () => {
    const hold = gate()
    const at = await place([say('Never said.', { delivery: { hold: hold.opened } })])
    const agent = startAgent(['x'], at)
    await at.model.request(0)
    agent.child.kill('SIGTERM')
    const outcome = await agent.outcome
    hold.open()
    expect(outcome.code).toBe(1)
    expect(threeLines(outcome)).toEqual([
      'The run was stopped.',
      expect.stringMatching(/^Everything done so far is kept: session s_\w+ in /),
      'Resume in a window (npm start), or start again.',
    ])
    expect((await storedEvents(at.data)).at(-1)).toEqual({ kind: 'PROCESSING_END', reason: 'stopped' })
  })
})

describe('a second signal', () => {
  test('ends the process immediately with exit code 130, and the task is in the history', async () => {
    const at = await place([say('Never said.', { delivery: { hold: gate().opened } })])
    const twice = before(`process.on('SIGUSR2', () => { process.emit('SIGINT'); process.emit('SIGINT') })`)
    const agent = startAgent(['x'], { ...at, env: { ...at.env, ...twice } })
    await at.model.request(0)
    agent.child.kill('SIGUSR2')
    expect((await agent.outcome).code).toBe(130)
    expect(kept(await storedEvents(at.data), 'USER_INPUT').map(({ text }) => text)).toEqual(['x'])
  })
})

describe('a reader that closes the pipe', () => {
  test('`| head -1` ends the turn without a message, with exit code 1, and the session is complete', async () => {
    const at = await place(endless)
    const quoted = [process.execPath, ...agentArgs(['Go on for ever'], at)].map((word) => `'${word}'`).join(' ')
    const script = `set -o pipefail; ${quoted} | head -1`
    const child = spawn('bash', ['-c', script], { cwd: ROOT, env: { ...cleanEnv(), ...at.env }, stdio: ['ignore', 'pipe', 'pipe'] })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    const [code] = (await once(child, 'close')) as [number | null]
    expect({ code, stderr, lines: stdout.trimEnd().split('\n').length }).toEqual({ code: 1, stderr: '', lines: 1 })
    const events = await storedEvents(at.data)
    expect(events.at(-1)).toEqual({ kind: 'PROCESSING_END', reason: 'stopped' })
    const started = kept(events, 'TOOL_CALL_START').map(({ toolCallId }) => toolCallId)
    expect(kept(events, 'TOOL_CALL_END').map(({ toolCallId }) => toolCallId)).toEqual(started)
  })
})

describe('output that cannot be written', () => {
  test.skipIf(process.platform !== 'linux')('is reported once in three lines, and ends the run with exit code 1', async () => {
    const at = await place(endless)
    const full = openSync('/dev/full', 'w')
    const child = spawn(process.execPath, agentArgs(['Go on for ever'], at), {
      cwd: ROOT,
      env: { ...cleanEnv(), ...at.env },
      stdio: ['ignore', full, 'pipe'],
    })
    closeSync(full)
    let stderr = ''
    child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    const [code] = (await once(child, 'close')) as [number | null]
    expect(code).toBe(1)
    expect(threeLines({ stderr })).toEqual([
      expect.stringMatching(/^Standard output can no longer be written to: .*ENOSPC/),
      'Everything so far is in the history. The turn was stopped.',
      'Free some space, or send the output elsewhere, then start again.',
    ])
    expect((await storedEvents(at.data)).at(-1)).toEqual({ kind: 'PROCESSING_END', reason: 'stopped' })
  })
})

describe('a bug in our code', () => {
  test.each([
    ['an exception', `throw new Error('boom')`],
    ['a rejection', `void Promise.reject(new Error('boom'))`],
  ])('an uncaught %s is reported in three lines, exit code 1, and the session can continue', async (_, code) => {
    const hold = gate()
    const at = await place([say('Never said.', { delivery: { hold: hold.opened } })])
    const agent = startAgent(['x'], { ...at, env: { ...at.env, ...before(`process.on('SIGUSR2', () => { ${code} })`) } })
    await at.model.request(0)
    agent.child.kill('SIGUSR2')
    const outcome = await agent.outcome
    hold.open()
    expect(outcome.code).toBe(1)
    expect(threeLines(outcome)).toEqual([
      'Countersign itself failed: boom',
      'Everything up to here is in the history. Requests that were waiting for a signature are still waiting.',
      'Start again, or open the session in a window (npm start). If it happens again, please report it.',
    ])
    expect(kept(await storedEvents(at.data), 'USER_INPUT').map(({ text }) => text)).toEqual(['x'])
  })
})

describe('the user’s folder', () => {
  test('INIT_CWD of an unrelated npm script is ignored', async () => {
    const at = await place([say('Done.')])
    const elsewhere = temporaryFolder('elsewhere')
    const env = { ...at.env, INIT_CWD: elsewhere, npm_lifecycle_event: 'build' }
    const outcome = await startAgent(['x'], { ...at, env }, { cwd: at.cwd, named: false }).outcome
    expect(ofKind(outcome, 'SESSION_START').map(({ cwd }) => cwd)).toEqual([at.cwd])
  })

  test('`npm run agent` works in the folder where it was typed, and --cwd is relative to that folder', async () => {
    const at = await place(() => say('Done.'))
    await writeFile(join(at.cwd, 'AGENTS.md'), 'x')
    const args = ['--prefix', ROOT, 'run', '-s', 'agent', '--', '--data', at.data]
    for (const [where, more] of [
      [at.cwd, []],
      [join(at.cwd, '..'), ['--cwd', at.cwd.split('/').at(-1) ?? '']],
    ] as const) {
      const child = spawn('npm', [...args, ...more, 'x'], {
        cwd: where,
        env: { ...cleanEnv(), ...at.env },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let stdout = ''
      child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
      await once(child, 'close')
      expect(stdout).toContain(`"cwd":${JSON.stringify(at.cwd)}`)
    }
  })
})

test('an agent that loops is stopped with exit code 1, even without a round limit (fault 49, D-43, D-44)', async () => {
  const at = await place(() => calls(call('glob', { pattern: '*' })))
  const outcome = await runAgent(['x'], at)
  expect([outcome.code, at.model.requests.length]).toEqual([1, 20])
  expect(outcome.stderr).toContain('The agent kept repeating the same steps after 3 warnings.')
  expect((await storedEvents(at.data)).at(-1)).toEqual({ kind: 'PROCESSING_END', reason: 'limit' })
})

test('an answer that breaks off ends the run with exit code 1 (D-44)', async () => {
  const half = anthropicFrames(say('I was about to'), 'm', 'half').join('').replace('"stop_reason":"end_turn"', '"stop_reason":null')
  const at = await place([{ kind: 'raw', headers: { 'content-type': 'text/event-stream' }, body: half }])
  const outcome = await runAgent(['x'], at)
  expect(outcome.code).toBe(1)
  expect(outcome.stderr).toContain('The service ended the answer without marking it as complete.')
})
