import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PassThrough, type Readable, type Writable } from 'node:stream'
import { ROOT, runtimeNode } from '../../../main/bootstrap/places.mjs'
import type { HostChild } from '../../../main/host-process/near/host-child.ts'
import { FrameReader } from '../../../main/host-process/wire/frames.ts'
import { readPieces } from '../../../main/host-process/wire/line-pieces.ts'
import { behindMarker } from '../../../main/host-process/wire/marker.ts'
import type { ConnectBy } from '../../../main/places/programs.ts'

type Way = 'there' | 'back'

/** A message between the halves. */
interface Crossing {
  readonly way: Way
  readonly message: {
    readonly kind: string
    readonly id?: number
    readonly pid?: number
    readonly method?: string
    readonly args?: unknown
  }
}

/** A connection between the halves. */
export interface Connected {
  /** Counted from 0. */
  readonly number: number
  /** Whether it starts the far half, instead of going on after an earlier connection was lost. */
  readonly isFirst: boolean
  /** Cuts it without a word. */
  cut(): void
}

/** What happens to one connection between the halves. */
export interface Connection {
  /** Called with each message before its bytes go on. A connection that goes on after another one is not read. */
  readonly onMessage?: (crossing: Crossing) => void
  /** Splits a chunk before it goes on. Default: it goes on whole. */
  readonly split?: (chunk: Buffer) => readonly Buffer[]
  /** How long each piece takes, in ms. Default: 0. */
  readonly delayMs?: () => number
  /** Called with the number of bytes of each piece that has gone on. */
  readonly onPassed?: (bytes: number) => void
}

/** The connections to a machine that is another home folder of this computer. */
export interface TestMachine {
  readonly home: string
  readonly connectBy: ConnectBy
  /** Cuts all connections between the halves without a word. */
  cut(): void
}

/**
 * `connection`: called for each new connection between the halves. Shorter programs, such as the installation, are left alone. `graceMs`: how
 * long the far half goes on without a connection. Default: as long as it is told.
 */
export function testMachine(folder: string, connection: (connected: Connected) => Connection, graceMs: number | null = null): TestMachine {
  const home = join(folder, 'home')
  mkdirSync(home, { recursive: true })
  // The Node of the tests, so that none has to be installed.
  writeFileSync(join(home, '.profile'), `PATH="${dirname(runtimeNode(ROOT) ?? process.execPath)}:$PATH"\n`)
  const open = new Set<HostChild>()
  let number = 0
  return {
    home,
    connectBy(_place, line) {
      const patient = graceMs === null ? line : line.replace(/ '\d+'$/u, ` '${graceMs}'`)
      const child = spawn('/bin/sh', ['-c', patient], {
        stdio: 'pipe',
        cwd: '/',
        env: { HOME: home, SHELL: '/bin/sh', PATH: '/usr/bin:/bin' },
      })
      if (!/'(?:start|attach)' '[^']+'(?: '\d+')?$/u.test(line)) return child
      open.add(child)
      child.once('close', () => open.delete(child))
      const cut = (): void => void child.kill('SIGKILL')
      const isFirst = line.includes(" 'start' '")
      return between(child, isFirst, connection({ number: number++, isFirst, cut }))
    },
    cut() {
      for (const child of open) child.kill('SIGKILL')
    },
  }
}

function between(child: HostChild, isFirst: boolean, { onMessage, ...faults }: Connection): HostChild {
  const stdin = new PassThrough()
  const tapped = (way: Way) => (onMessage && isFirst ? tap(way, onMessage) : () => {})
  carry(stdin, child.stdin, tapped('there'), faults)
  const stdout = new PassThrough()
  carry(child.stdout, stdout, tapped('back'), faults)
  return { stdin, stdout, stderr: child.stderr, kill: (signal) => child.kill(signal), once: child.once.bind(child) }
}

function carry(
  from: Readable,
  to: Writable,
  look: (chunk: Buffer) => void,
  { split = (chunk) => [chunk], delayMs = () => 0, onPassed }: Omit<Connection, 'onMessage'>,
): void {
  to.on('error', () => {})
  from.on('error', () => to.destroy())
  let last = Promise.resolve()
  let dueAt = 0
  const after = (work: () => void): void => {
    dueAt = Math.max(dueAt, performance.now() + delayMs())
    const at = dueAt
    last = last.then(() =>
      at - performance.now() > 0.5 ? new Promise<void>((resolve) => setTimeout(() => resolve(work()), at - performance.now())) : work(),
    )
  }
  from.on('data', (chunk: Buffer) => {
    look(chunk)
    for (const piece of split(chunk))
      after(() => {
        to.write(piece)
        onPassed?.(piece.length)
      })
  })
  from.on('end', () => after(() => void to.end()))
  from.on('close', () => after(() => void to.end()))
}

/** Reads the messages in the bytes of a connection. */
function tap(way: Way, onMessage: (crossing: Crossing) => void): (chunk: Buffer) => void {
  const frames = new FrameReader((json) => onMessage({ way, message: JSON.parse(json.toString('utf8')) as Crossing['message'] }))
  const data = way === 'there' ? frames.take.bind(frames) : behindMarker((bytes) => frames.take(bytes))
  const pieces = readPieces((kind, bytes) => kind === 'data' && data(bytes))
  return way === 'there' ? pieces : behindMarker(pieces)
}
