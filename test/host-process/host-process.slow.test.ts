import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import type { ExecutionEnvironment } from '../../main/agent/ports/execution-environment.ts'
import { localHost, startHostProgram } from '../../main/host-process/near/local-host.ts'
import { hostOver } from '../environment/host-environment.ts'
import { failureOf, tempFolder } from '../environment/support.ts'
import { isAlive } from '../support/is-alive.ts'

const numbers = (text: string): readonly number[] => (text.match(/\d+/g) ?? []).map(Number)

/** A command whose processes are hard to end. It prints their pids, then waits. */
const STUBBORN = 'setsid sleep 71 & echo $!; nohup sleep 72 >/dev/null & echo $!; echo $$; sleep 73'

/** Resolves with the pids of the command when it has printed all three. `result` is how the command ends. */
async function startStubborn(env: ExecutionEnvironment): Promise<{ readonly pids: readonly number[]; readonly result: Promise<unknown> }> {
  const printed = Promise.withResolvers<readonly number[]>()
  let text = ''
  const onOutput = (chunk: { readonly text: string }): void => {
    text += chunk.text
    if (numbers(text).length >= 3) printed.resolve(numbers(text))
  }
  const result = env.execCommand(STUBBORN, { timeoutMs: 120_000, onOutput })
  result.catch(() => {})
  return { pids: await printed.promise, result }
}

it('all that it started ends when the near side closes it', async () => {
  const host = await hostOver(tempFolder())
  const { pids, result } = await startStubborn(host.environment)
  expect(pids.map(isAlive)).toEqual([true, true, true])
  await host.close()
  expect([pids.filter(isAlive), isAlive(host.facts.pid), await host.ended]).toEqual([[], false, { kind: 'closed' }])
  expect(await failureOf(result)).toMatchObject({ code: 'ELOST' })
})

it('when the near side is killed, nothing stays behind', async () => {
  const near = new URL('./near-side.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [near, tempFolder(), STUBBORN], { stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  child.stdout.on('data', (data: Buffer) => (printed += data.toString()))
  await vi.waitUntil(() => numbers(printed).length >= 4, { timeout: 60_000 })
  const pids = numbers(printed)
  expect(pids.filter(isAlive)).toEqual(pids)
  child.kill('SIGKILL')
  await vi.waitUntil(() => pids.filter(isAlive).length === 0, { timeout: 20_000 })
})

it('when the far side is killed, calls reject with ELOST, and the next start ends what stayed behind', async () => {
  const folder = tempFolder()
  const data = tempFolder()
  const host = await hostOver(folder, { data })
  const shell = await host.environment.openShell()
  const { pids, result } = await startStubborn(host.environment)
  process.kill(host.facts.pid, 'SIGKILL')
  expect(await failureOf(result)).toEqual({ code: 'ELOST', message: expect.stringContaining('Its process ended (SIGKILL)') })
  expect([(await host.ended).kind, shell.isAlive()]).toEqual(['lost', false])
  expect(await failureOf(host.environment.stat('.'))).toMatchObject({ code: 'ELOST' })
  expect(pids.filter(isAlive)).toEqual(pids)
  const next = await hostOver(folder, { data })
  expect(pids.filter(isAlive)).toEqual([])
  await next.close()
  expect(readdirSync(join(data, 'notes'))).toEqual([])
})

it('a second host process leaves alone what the first one runs', async () => {
  const data = tempFolder()
  const first = await hostOver(tempFolder(), { data })
  const { pids } = await startStubborn(first.environment)
  await hostOver(tempFolder(), { data })
  expect(pids.filter(isAlive)).toEqual(pids)
})

it('SIGTERM ends it and all that it started', async () => {
  const host = await hostOver(tempFolder())
  const { pids } = await startStubborn(host.environment)
  process.kill(host.facts.pid, 'SIGTERM')
  expect(await host.ended).toEqual({ kind: 'lost', message: expect.stringContaining('It was stopped by a signal.') })
  expect(pids.filter(isAlive)).toEqual([])
})

it('a stopped far side is noticed by its silence', async () => {
  const host = await hostOver(tempFolder(), { silenceMs: 1_000 })
  process.kill(host.facts.pid, 'SIGSTOP')
  expect(await failureOf(host.environment.stat('.'))).toEqual({ code: 'ELOST', message: expect.stringContaining('Nothing was heard') })
})

it('a far side whose near side is silent ends all that it started', async () => {
  const near = new URL('./near-side.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [near, tempFolder(), STUBBORN, '1000'], { stdio: ['ignore', 'pipe', 'ignore'] })
  let printed = ''
  child.stdout.on('data', (data: Buffer) => (printed += data.toString()))
  await vi.waitUntil(() => numbers(printed).length >= 4, { timeout: 60_000 })
  const pids = numbers(printed)
  child.kill('SIGSTOP')
  await vi.waitUntil(() => pids.filter(isAlive).length === 0, { timeout: 30_000 })
  child.kill('SIGKILL')
  await once(child, 'close')
})

it('an abort in the middle of large output ends the command, and the connection goes on', async () => {
  const { environment: env } = await hostOver(tempFolder())
  const controller = new AbortController()
  let got = 0
  const spool = (bytes: Uint8Array): void => {
    got += bytes.length
    if (got > 5_000_000) controller.abort()
  }
  const result = await env.execCommand('echo $$; exec cat /dev/zero', { spool, signal: controller.signal, timeoutMs: 60_000 })
  expect([result.aborted, isAlive(numbers(result.stdout)[0] ?? 0)]).toEqual([true, false])
  expect((await env.execCommand('echo next')).stdout).toBe('next\n')
})

const memoryOf = (pid: number): number => 1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])

it.each([
  ['on pipes', {}],
  ['in a terminal', { terminal: { columns: 80, rows: 24, onOpen: () => {} } }],
])('64 MB of output %s arrive whole and in order at a slow reader, and the far side holds little of it', async (_where, where) => {
  const { environment: env, facts } = await hostOver(tempFolder())
  await env.execCommand('true', where)
  const before = memoryOf(facts.pid)
  let peak = 0
  let next = 0
  let text = ''
  let pieces = 0
  const spool = (bytes: Uint8Array): void => {
    // Reading stops for a while at each piece, as on a busy machine.
    if (pieces++ % 8 === 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    peak = Math.max(peak, memoryOf(facts.pid))
    text += Buffer.from(bytes).toString('latin1')
    const lines = text.split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) if (Number(line) === next + 1) next += 1
  }
  const result = await env.execCommand('seq 8000000', { ...where, spool, timeoutMs: 300_000 })
  expect([result.exitCode, next]).toEqual([0, 8_000_000])
  expect(result.bytes).toBeGreaterThan(62_000_000)
  expect((peak - before) / 1_000_000).toBeLessThan(100)
})

it('a stopped near side stops the command, and the far side still answers signals', async () => {
  const folder = tempFolder()
  const near = new URL('./near-side.ts', import.meta.url).pathname
  // The command writes as fast as it can, and notes how far it got.
  const command = `echo $$; sleep 0.3; exec ${process.execPath} -e "const fs=require('fs');const b=Buffer.alloc(65536,120);for(let n=0;;n++){fs.writeSync(1,b);fs.writeFileSync('far',String(n))}"`
  const child = spawn(process.execPath, [near, folder, command], { stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  child.stdout.on('data', (data: Buffer) => (printed = (printed + data.toString()).slice(0, 100)))
  await vi.waitUntil(() => existsSync(join(folder, 'far')), { timeout: 60_000 })
  child.kill('SIGSTOP')
  const far = (): number => Number(readFileSync(join(folder, 'far'), 'utf8'))
  let before = -1
  await vi.waitUntil(
    () => {
      const now = far()
      const stands = now === before && now > 0
      before = now
      return stands
    },
    { timeout: 60_000, interval: 1_000 },
  )
  const [host = 0] = numbers(printed)
  expect(memoryOf(host)).toBeLessThan(250_000_000)
  process.kill(host, 'SIGTERM')
  await vi.waitUntil(() => !isAlive(host), { timeout: 20_000 })
  child.kill('SIGKILL')
})

it('a file of 100 MB is read and written in bounded pieces', async () => {
  const folder = tempFolder()
  const { environment: env, facts } = await hostOver(folder)
  writeFileSync(join(folder, 'large'), 'start')
  truncateSync(join(folder, 'large'), 100 * 1024 ** 2)
  let taken = 0
  const before = memoryOf(facts.pid)
  let peak = before
  const take = (piece: Uint8Array): void => {
    taken += piece.length
    peak = Math.max(peak, memoryOf(facts.pid))
  }
  expect(await env.readBytes('large', { take })).toHaveLength(0)
  expect(taken).toBe(100 * 1024 ** 2)
  // V8 collects used buffers when they have 64 MB.
  expect((peak - before) / 1_000_000).toBeLessThan(90)
  const bytes = await env.readBytes('large')
  expect([bytes.length, Buffer.from(bytes.subarray(0, 5)).toString()]).toEqual([100 * 1024 ** 2, 'start'])
  await env.writeBytes('copy', bytes, { expected: null })
  expect(statSync(join(folder, 'copy')).size).toBe(bytes.length)
})

it('a login shell that prints, reads and starts the host process does not disturb it', async () => {
  const { argv } = await localHost()
  const script = `echo "Last login: today"; printf '\\0\\0\\377'; echo "message of the day" >&2; exec "$@"`
  const host = await hostOver(tempFolder(), { start: () => startHostProgram(['/bin/sh', '-c', script, 'sh', ...argv], {}) })
  expect((await host.environment.execCommand('echo hello')).stdout).toBe('hello\n')
})

it('variables of the near side reach the programs, and secrets only if they are allowed', async () => {
  const variables = { TOOL_HOME: '/opt/tool', OPENAI_API_KEY: 'sk-abcdefghijklmnop', GITHUB_TOKEN: 'ghp_abcdefghijklmnop' }
  const host = await hostOver(tempFolder(), { variables, options: { allowVariables: ['TOOL_*', 'GITHUB_TOKEN'] } })
  const { stdout } = await host.environment.execCommand('echo "$TOOL_HOME $OPENAI_API_KEY $GITHUB_TOKEN"')
  expect(stdout).toBe('/opt/tool  ghp_abcdefghijklmnop\n')
})

it('a comparison finds what a command changes in the folder, with the bytes before and after', async () => {
  const folder = tempFolder()
  writeFileSync(join(folder, 'changed.txt'), 'before')
  writeFileSync(join(folder, 'same.txt'), 'same')
  const { environment, comparison } = await hostOver(folder)
  const run = await comparison.begin()
  await environment.execCommand('printf after > changed.txt; head -c 700000 /dev/zero > new.bin; mkdir made')
  const { changes, folders, leftOut } = await run.end()
  const shown = changes.map(({ path, before, after }) => [path, before && Buffer.from(before.bytes).toString(), after?.bytes.length])
  expect(shown).toEqual([
    ['changed.txt', 'before', 5],
    ['new.bin', null, 700_000],
  ])
  expect([folders.map(({ path }) => path), leftOut]).toEqual([['made'], []])
})

it('a comparison whose host process was lost says that nothing was compared', async () => {
  const host = await hostOver(tempFolder())
  const run = await host.comparison.begin()
  process.kill(host.facts.pid, 'SIGKILL')
  await host.ended
  expect((await run.end()).leftOut).toEqual([expect.stringContaining('The folder was not compared')])
})
