import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
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
