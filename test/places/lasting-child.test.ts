import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createLine } from '../../main/host-process/wire/line.ts'
import { MARKER } from '../../main/host-process/wire/marker.ts'
import { createLastingChild } from '../../main/places/lasting-child.ts'
import { throttleEndShared } from '../../main/places/throttle-end-shared.ts'

test('giving up the connection ends a program that is still starting', async () => {
  const started = Promise.withResolvers<ReturnType<typeof program>>()
  const lasting = createLastingChild({
    connect: () => started.promise,
    beforeRetry: () => Promise.resolve(),
    graceMs: 60_000,
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
    graceMs: 600_000,
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
