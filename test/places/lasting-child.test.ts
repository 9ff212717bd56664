import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createLine } from '../../main/host-process/wire/line.ts'
import { MARKER } from '../../main/host-process/wire/marker.ts'
import { createLastingChild, PATIENCE } from '../../main/places/lasting-child.ts'
import { throttleEndShared } from '../../main/places/throttle-end-shared.ts'

test('giving up the connection ends a program that is still starting', async () => {
  const started = Promise.withResolvers<ReturnType<typeof program>>()
  const lasting = createLastingChild({
    connect: () => started.promise,
    beforeRetry: () => Promise.resolve(),
    patience: PATIENCE,
    onState: () => {},
  })
  const closed = new Promise<void>((resolve) => lasting.once('close', () => resolve()))
  lasting.kill('SIGKILL')
  await closed
  const child = program()
  started.resolve(child)
  expect(await once(child, 'close')).toEqual([null, 'SIGKILL'])
})

test('a first host process that takes 50 s to start, on a machine under load, is waited for', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const stdin = new PassThrough()
  const stdout = new PassThrough()
  const child = Object.assign(new EventEmitter(), { stdin, stdout, stderr: new PassThrough(), kill: () => true })
  const states: string[] = []
  const lasting = createLastingChild({
    connect: () => Promise.resolve(child),
    beforeRetry: () => Promise.resolve(),
    patience: PATIENCE,
    onState: ({ kind }) => void states.push(kind),
  })
  await vi.advanceTimersByTimeAsync(50_000)
  stdout.write(MARKER)
  const far = createLine(600_000)
  far.attach({ input: stdin, output: stdout, destroy: () => {} })
  far.output.write('hello')
  const [said] = (await once(lasting.stdout, 'data')) as [Buffer]
  expect([said.toString(), states]).toEqual(['hello', ['connected']])
  far.destroy('The other side is silent from now on.')
  await vi.advanceTimersByTimeAsync(20_000)
  expect(states).toEqual(['connected', 'lost'])
  lasting.kill('SIGKILL')
})

test('two presses of *Reconnect now* start one connection, and the longer a loss lasts, the longer the waits between attempts are', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const stdin = new PassThrough()
  const stdout = new PassThrough()
  const child = Object.assign(new EventEmitter(), { stdin, stdout, stderr: new PassThrough(), kill: () => true })
  const began = Date.now()
  const tries: number[] = []
  let failing = Promise.withResolvers<never>()
  const lasting = createLastingChild({
    connect(isNew) {
      if (isNew) return Promise.resolve(child)
      tries.push((Date.now() - began) / 1000)
      return failing.promise
    },
    beforeRetry: () => Promise.resolve(),
    patience: PATIENCE,
    onState: () => {},
  })
  await vi.advanceTimersByTimeAsync(0)
  stdout.write(MARKER)
  const far = createLine(600_000)
  far.attach({ input: stdin, output: stdout, destroy: () => {} })
  await vi.advanceTimersByTimeAsync(10)
  child.emit('close')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(tries).toHaveLength(1)
  lasting.retry()
  lasting.retry()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(tries).toHaveLength(1)
  const fail = async (): Promise<void> => {
    const last = failing
    failing = Promise.withResolvers()
    last.reject(new Error('There is no way.'))
    await vi.advanceTimersByTimeAsync(0)
  }
  await fail()
  const waits: number[] = []
  for (let time = 0; time < 42; time++) {
    const count = tries.length
    for (let at = 0; at < 600 && tries.length === count; at++) await vi.advanceTimersByTimeAsync(100)
    waits.push(Math.round((tries.at(-1) ?? 0) - (tries.at(-2) ?? 0)))
    await fail()
  }
  // The first one began before the user asked.
  const [, ...own] = waits
  expect(own).toEqual(own.toSorted((a, b) => a - b))
  expect([own[0], own.at(-1)]).toEqual([1, 30])
  lasting.kill('SIGKILL')
})

test('two folders on one machine that lose their connection end the shared connection only once until the next loss', async () => {
  let now = 0
  const ended: string[] = []
  const old = Promise.withResolvers<void>()
  const end = throttleEndShared(
    (place) => {
      ended.push(place.kind === 'ssh' ? place.host : place.name)
      return old.promise
    },
    () => now,
  )
  const connection = { sockets: null, sshConfig: null, asking: null }
  const box = { kind: 'ssh', host: 'box', port: null } as const
  const waiting = [end(box, connection), end({ ...box }, connection), end({ ...box, host: 'other' }, connection)]
  expect(ended).toEqual(['box', 'other'])
  old.resolve()
  await Promise.all(waiting)
  now = 29_000
  await end(box, connection)
  expect(ended).toEqual(['box', 'other'])
  now = 31_000
  await end(box, connection)
  expect(ended).toEqual(['box', 'other', 'box'])
})

/** A program that runs until its input closes. */
const program = () => spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: 'pipe' })
