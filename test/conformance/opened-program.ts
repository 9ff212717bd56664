import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ExecutionEnvironment } from '../../main/agent/ports/execution-environment.ts'
import { failureOf } from '../environment/support.ts'

type Bash = readonly [string, ...string[]]

const bash = (script: string): Bash => ['bash', '--norc', '-c', script]

/** Tests the promises of `open`. `create` returns an environment over an empty folder. */
export function openedProgramConformance(name: string, create: () => Promise<ExecutionEnvironment> | ExecutionEnvironment): void {
  const open = async (): Promise<ExecutionEnvironment> => {
    const env = await create()
    await env.initialize()
    onTestFinished(() => env.cleanup())
    return env
  }
  const runs = async (env: ExecutionEnvironment, pid: string): Promise<boolean> => (await env.execCommand(`kill -0 ${pid}`)).exitCode === 0

  describe(`${name}: an opened program`, { timeout: 60_000 }, () => {
    it('gets and returns bytes unchanged, and ends when its input ends', async () => {
      const env = await open()
      const program = await env.open(['cat'])
      const all = Buffer.from(Array.from({ length: 4096 }, (_, index) => index % 256))
      program.stdin.write(all.subarray(0, 100))
      const [first] = (await once(program.stdout, 'data')) as [Buffer]
      expect(first).toEqual(all.subarray(0, 100))
      const rest = program.stdout.toArray()
      program.stdin.end(all.subarray(100))
      expect(Buffer.concat((await rest) as Buffer[])).toEqual(all.subarray(100))
      expect(await program.ended).toEqual({ exitCode: 0, signal: null })
    })

    it('is started without a shell, in its folder, with its variables, and keeps its two outputs apart', async () => {
      const env = await open()
      await env.writeFile('sub/here', '')
      const plain = await env.open(['printf', '%s|', '$HOME', '`id`', '*'])
      expect(await text(plain.stdout)).toBe('$HOME|`id`|*|')
      const script = 'ls; echo "$ADDED $GIT_TERMINAL_PROMPT" >&2; exit 7'
      const program = await env.open(bash(script), { workingDir: 'sub', envVars: { ADDED: 'added' } })
      expect(await Promise.all([text(program.stdout), text(program.stderr)])).toEqual(['here\n', 'added 0\n'])
      expect(await program.ended).toEqual({ exitCode: 7, signal: null })
    })

    it('rejects with the reason if it cannot be started', async () => {
      const env = await open()
      expect(await failureOf(env.open(['no-such-program-here']))).toMatchObject({ code: 'ENOENT' })
      expect(await failureOf(env.open(['true'], { workingDir: 'gone' }))).toMatchObject({ code: 'ENOENT' })
      const reason = new Error('no longer wanted')
      await expect(env.open(['cat'], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    })

    it('waits while nobody reads its output, and loses none of it', async () => {
      const env = await open()
      // One character of errors for each 64 KB of output.
      const program = await env.open(bash('for i in {1..100}; do printf %065536d $i; printf . >&2; done'))
      let printed = ''
      program.stderr.setEncoding('utf8').on('data', (dots: string) => (printed += dots))
      let before = ''
      const stands = (): boolean => {
        const isSame = printed !== '' && printed === before
        before = printed
        return isSame
      }
      await vi.waitUntil(stands, { timeout: 30_000, interval: 500 })
      expect(printed.length).toBeLessThan(30)
      const all = await text(program.stdout)
      expect([all.length, all.slice(-4), (await program.ended).exitCode]).toEqual([6_553_600, '0100', 0])
      expect(printed).toHaveLength(100)
    })

    it('makes its writer wait while it does not read, and gets everything in order', async () => {
      const env = await open()
      const program = await env.open(['wc', '-c'])
      const block = Buffer.alloc(65_536, 'x')
      let taken = 0
      for (let blocks = 0; blocks < 100; blocks++) program.stdin.write(block, () => (taken += 1))
      await vi.waitUntil(() => taken > 0, { timeout: 30_000 })
      const idle = await env.open(['sleep', '100'])
      let given = 0
      for (let blocks = 0; blocks < 100; blocks++) idle.stdin.write(block, () => (given += 1))
      let before = -1
      const stands = (): boolean => {
        const isSame = given === before
        before = given
        return isSame
      }
      await vi.waitUntil(stands, { timeout: 30_000, interval: 500 })
      expect(given).toBeLessThan(30)
      await idle.kill()
      program.stdin.end('rest')
      expect([(await text(program.stdout)).trim(), taken]).toEqual(['6553604', 100])
    })

    it('ends with everything that it started when it is killed or its signal aborts', async () => {
      const env = await open()
      const stubborn = bash('setsid sleep 81 & echo $!; echo $$; trap "" TERM; while :; do sleep 82; done')
      const stop = new AbortController()
      const killed = await env.open(stubborn)
      const aborted = await env.open(stubborn, { signal: stop.signal })
      const pids = (await Promise.all([killed, aborted].map(({ stdout }) => lines(stdout, 2)))).flat()
      expect(await Promise.all(pids.map((pid) => runs(env, pid)))).toEqual([true, true, true, true])
      stop.abort()
      await killed.kill()
      expect([await killed.ended, await aborted.ended]).toEqual([1, 2].map(() => ({ exitCode: null, signal: 'SIGKILL' })))
      expect(await Promise.all(pids.map((pid) => runs(env, pid)))).toEqual([false, false, false, false])
    })

    it('ends even if nobody reads its output, which can be read later, and then ignores input', async () => {
      const env = await open()
      const program = await env.open(bash('echo out; echo err >&2; kill -TERM $$'))
      expect(await program.ended).toEqual({ exitCode: null, signal: 'SIGTERM' })
      program.stdin.write('dropped')
      program.stdin.end()
      expect(await Promise.all([text(program.stdout), text(program.stderr)])).toEqual(['out\n', 'err\n'])
    })

    it('goes on when an output is destroyed', async () => {
      const env = await open()
      const program = await env.open(bash('for i in {1..100}; do printf %065536d $i >&2; done; echo done'))
      program.stderr.destroy()
      expect(await text(program.stdout)).toBe('done\n')
      expect((await program.ended).exitCode).toBe(0)
    })

    it('ends with its environment', async () => {
      const env = await open()
      const program = await env.open(['cat'])
      await env.cleanup()
      expect((await program.ended).exitCode).toBe(null)
    })
  })
}

/** The first lines of an output, which stays open. */
async function lines(output: Readable, count: number): Promise<readonly string[]> {
  let found = ''
  output.setEncoding('utf8').on('data', (piece: string) => (found += piece))
  await vi.waitUntil(() => found.split('\n').length > count, { timeout: 30_000 })
  return found.split('\n').slice(0, count)
}
