import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { createLastingChild } from '../../main/places/lasting-child.ts'
import { notTooOften } from '../../main/places/not-too-often.ts'

test('a program that was being started when the connection was given up is ended', async () => {
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

test('two folders of one machine that lose their connection end the shared one once, and again only for a later loss', async () => {
  let now = 0
  const ended: string[] = []
  const old = Promise.withResolvers<void>()
  const end = notTooOften(
    (place) => {
      ended.push(place.kind === 'ssh' ? place.host : place.name)
      return old.promise
    },
    () => now,
  )
  const way = { sockets: null, sshConfig: null, asking: null }
  const box = { kind: 'ssh', host: 'box', port: null } as const
  const waiting = [end(box, way), end({ ...box }, way), end({ ...box, host: 'other' }, way)]
  expect(ended).toEqual(['box', 'other'])
  old.resolve()
  await Promise.all(waiting)
  now = 29_000
  await end(box, way)
  expect(ended).toEqual(['box', 'other'])
  now = 31_000
  await end(box, way)
  expect(ended).toEqual(['box', 'other', 'box'])
})

/** A program that goes on for as long as its input is open. */
const program = () => spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: 'pipe' })
