import { expect, it } from 'vitest'
import { MARKER } from '../../main/host-process/wire/marker.ts'
import { startHostProgram } from '../../main/host-process/near/local-host.ts'
import { startHostProcess } from '../../main/host-process/near/start-host-process.ts'
import { VERSION } from '../../main/version.ts'
import { failureOf } from '../environment/support.ts'
import { BUILD, type ScriptedFarSide, startWith, welcome } from './scripted-far-side.ts'

const head = (json: number, bytes: number): Buffer => {
  const buffer = Buffer.alloc(8)
  buffer.writeUInt32BE(json, 0)
  buffer.writeUInt32BE(bytes, 4)
  return buffer
}

const START: readonly (readonly [string, (far: ScriptedFarSide) => unknown, string, string])[] = [
  ['prints much that is no frame', ({ print }) => print(Buffer.alloc(300_000, 'x')), 'EPROTO', 'no host process has answered'],
  [
    'announces a frame of 2 GB',
    ({ print }) => print(Buffer.concat([Buffer.from(MARKER), head(20, 2 ** 31)])),
    'EPROTO',
    'announced 20 bytes of text and 2147483648 raw bytes',
  ],
  [
    'sends what is not JSON',
    ({ print }) => print(Buffer.concat([Buffer.from(MARKER), head(3, 0), Buffer.from('{,}')])),
    'EPROTO',
    'was not JSON',
  ],
  [
    'sends a message of an unknown kind',
    ({ print, send }) => {
      print(MARKER)
      send({ kind: 'surprise' })
    },
    'EPROTO',
    'was not valid',
  ],
  [
    'is another version',
    ({ print, send }) => {
      print(MARKER)
      send({ kind: 'hello', version: '9.9.9', build: BUILD })
    },
    'EPROTO',
    `It is version 9.9.9 (sources), but ${VERSION} (sources) is needed.`,
  ],
  [
    'is another build of the same version',
    ({ print, send }) => {
      print(MARKER)
      send({ kind: 'hello', version: VERSION, build: 'f00d' })
    },
    'EPROTO',
    `It is version ${VERSION} (f00d)`,
  ],
  [
    'refuses',
    async ({ print, send, heard }) => {
      print(MARKER)
      send({ kind: 'hello', version: VERSION, build: BUILD })
      await heard('open')
      send({ kind: 'refused', message: 'Not today.' })
    },
    'EPROTO',
    'Not today.',
  ],
  ['ends at once', ({ exit }) => exit(3, 'no such file: node'), 'ELOST', 'Its process ended (exit code 3). It printed: no such file: node'],
  ['says nothing', () => {}, 'ELOST', 'It did not answer within 50 ms.'],
]

it.each(START)('a far side that %s is refused with a clear error', async (_what, script, code, words) => {
  const limits = words.includes('50 ms') ? { startMs: 50 } : {}
  expect(await failureOf(startWith(script, limits))).toEqual({ code, message: expect.stringContaining(words) })
})

it('a program that does not exist is reported with its name', async () => {
  const start = () => startHostProgram(['/no/such/program'], {})
  const failure = await failureOf(startHostProcess({ start, build: BUILD, folder: '/', data: null }))
  expect(failure).toEqual({ code: 'ELOST', message: expect.stringContaining('could not be started: spawn /no/such/program ENOENT') })
})

const ANSWERS: readonly (readonly [string, (far: ScriptedFarSide, id: unknown) => unknown, string])[] = [
  [
    'a value of another shape',
    ({ send }, id) => send({ kind: 'done', id, value: { kind: 'file', size: 'big' } }),
    'The answer to a call of stat was not valid',
  ],
  [
    'bytes that were not asked for',
    ({ send }, id) => send({ kind: 'piece', id }, Buffer.from('x')),
    'A call of stat was answered with bytes',
  ],
  [
    'an event of a command',
    ({ send }, id) => send({ kind: 'event', id, event: { of: 'start', pid: 1 } }),
    'A call of stat was answered with an event',
  ],
  ['the number of another call', ({ send }) => send({ kind: 'done', id: 99, value: null }), 'An answer came to a call that is not open'],
  ['a negative number of the call', ({ send }) => send({ kind: 'done', id: -1, value: null }), 'was not valid'],
]

it.each(ANSWERS)('an answer with %s ends the connection, and every open call rejects', async (_what, answer, words) => {
  const host = await startWith(async (far) => {
    await welcome(far)
    const { id } = await far.heard('call')
    await answer(far, id)
  })
  const failures = await Promise.all([host.environment.stat('a'), host.environment.realpath('b')].map(failureOf))
  expect(failures).toEqual([1, 2].map(() => ({ code: 'EPROTO', message: expect.stringContaining(words) })))
  expect(await host.ended).toEqual({ kind: 'lost', message: expect.stringContaining(words) })
  expect(await failureOf(host.environment.stat('a'))).toMatchObject({ code: 'EPROTO' })
})

it('more bytes than the caller allowed end the connection', async () => {
  const host = await startWith(async (far) => {
    await welcome(far)
    const { id } = await far.heard('call')
    far.send({ kind: 'piece', id }, Buffer.alloc(11))
  })
  expect(await failureOf(host.environment.readBytes('a', { maxBytes: 10 }))).toEqual({
    code: 'EPROTO',
    message: expect.stringContaining('more than 10 bytes'),
  })
})

it('a failure keeps its code and its sentence, whatever the code is', async () => {
  const host = await startWith(async (far) => {
    await welcome(far)
    for (;;) {
      const { id } = await far.heard('call')
      far.send({ kind: 'failed', id, code: 'ENOENT', message: 'Could not look at a: it does not exist (ENOENT).' })
    }
  })
  expect(await failureOf(host.environment.stat('a'))).toEqual({
    code: 'ENOENT',
    message: 'Could not look at a: it does not exist (ENOENT).',
  })
})

it('a silent far side is noticed, and a far side that answers pings is not silent', async () => {
  const host = await startWith(
    async (far) => {
      await welcome(far)
      for (let pings = 0; pings < 12; pings++) {
        await far.heard('ping')
        far.send({ kind: 'pong' })
      }
    },
    { silenceMs: 80 },
  )
  const begin = performance.now()
  const failure = await failureOf(host.environment.stat('a'))
  expect(failure).toEqual({ code: 'ELOST', message: expect.stringContaining('Nothing was heard from it for 80 ms.') })
  // Twelve answered pings take three times the limit.
  expect(performance.now() - begin).toBeGreaterThan(200)
})

it('a program’s confinement cannot cross, so the program is not started at all', async () => {
  const host = await startWith(welcome)
  const confinement = { wrap: () => ({ file: '', args: [], cwd: '', env: {} }) }
  const refused = { code: 'ENOTSUP', message: expect.stringContaining('Nothing was started') }
  expect(await failureOf(host.environment.execCommand('true', { confinement }))).toEqual(refused)
  expect(await failureOf(host.environment.spawn(['true'], { confinement }))).toEqual(refused)
  expect(await failureOf(host.environment.openShell({ confinement }))).toEqual(refused)
  expect(await failureOf(host.environment.open(['true'], { confinement }))).toEqual(refused)
})

it.each([
  [
    'more than there is room for',
    ({ send }: ScriptedFarSide, id: unknown) => {
      for (let pieces = 0; pieces < 6; pieces++)
        send({ kind: 'program', id, event: { of: 'output', stream: 'stdout' } }, Buffer.alloc(65_536))
    },
  ],
  [
    'after the end of an output',
    ({ send }: ScriptedFarSide, id: unknown) => {
      send({ kind: 'program', id, event: { of: 'output-end', stream: 'stdout' } })
      send({ kind: 'program', id, event: { of: 'output', stream: 'stdout' } }, Buffer.from('x'))
    },
  ],
])('bytes of a program that come %s end the connection', async (_what, answer) => {
  const host = await startWith(async (far) => {
    await welcome(far)
    const { id } = await far.heard('call')
    far.send({ kind: 'program', id, event: { of: 'opened' } })
    answer(far, id)
  })
  const program = await host.environment.open(['cat'])
  expect(await host.ended).toEqual({ kind: 'lost', message: expect.stringContaining('A program printed more than was allowed') })
  expect(await program.ended).toEqual({ exitCode: null, signal: null })
})
