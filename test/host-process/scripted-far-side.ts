import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { FrameReader, frameOf } from '../../main/host-process/wire/frames.ts'
import { MARKER } from '../../main/host-process/wire/marker.ts'
import { type HostProcess, type HostStart, startHostProcess } from '../../main/host-process/near/start-host-process.ts'
import { VERSION } from '../../main/version.ts'

export const BUILD = 'sources'

/** A far side that says what the test wants: the streams of a process whose program is the test. */
export interface ScriptedFarSide {
  /** Writes bytes as they are. */
  readonly print: (bytes: string | Buffer) => void
  readonly send: (message: object, bytes?: Uint8Array) => void
  /** Resolves with the next message of this kind. */
  readonly heard: (kind: string) => Promise<Record<string, unknown>>
  readonly exit: (code: number, errors?: string) => void
}

/** Starts the near half with a far side that follows `script`. */
export function startWith(
  script: (far: ScriptedFarSide) => unknown,
  limits: Pick<Partial<HostStart>, 'silenceMs' | 'startMs' | 'redactor' | 'data' | 'blobs' | 'isFar'> = {},
): Promise<HostProcess> {
  const stdin = new PassThrough()
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  const events = new EventEmitter()
  const messages: Record<string, unknown>[] = []
  const arrived = new EventEmitter()
  const reader = new FrameReader((json) => {
    messages.push(JSON.parse(json.toString('utf8')) as Record<string, unknown>)
    arrived.emit('message')
  })
  stdin.on('data', (chunk: Buffer) => reader.take(chunk))
  const exit = (code: number, errors = ''): void => {
    stderr.end(errors)
    setImmediate(() => events.emit('close', code, null))
  }
  stdin.on('end', () => exit(0))
  const far: ScriptedFarSide = {
    print: (bytes) => stdout.write(bytes),
    send: (message, bytes) => stdout.write(frameOf(message, bytes)),
    async heard(kind) {
      for (;;) {
        const at = messages.findIndex((message) => message['kind'] === kind)
        if (at >= 0) return messages.splice(at, 1)[0] ?? {}
        await new Promise((resolve) => arrived.once('message', resolve))
      }
    },
    exit,
  }
  const kill = (): boolean => events.emit('close', null, 'SIGKILL')
  const start = () => ({ stdin, stdout, stderr, kill, once: events.once.bind(events) })
  void script(far)
  return startHostProcess({ start, build: BUILD, folder: '/somewhere', data: null, ...limits })
}

/** Says all that the near half needs to open the environment. */
export async function welcome(far: ScriptedFarSide): Promise<void> {
  far.print(MARKER)
  far.send({ kind: 'hello', version: VERSION, build: BUILD })
  await far.heard('open')
  far.send({ kind: 'ready', pid: 1, folder: '/somewhere', platform: 'linux', osVersion: '6', recovered: [] })
}
