import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { createPlaces } from '../../main/places/places.ts'
import { NO_REDACTOR } from './support/no-redactor.ts'
import { startContainer, whyNoContainer } from './support/container.ts'
import { buildGuest, processesNaming, startSshServer, whyNoSshServer } from './support/ssh-server.ts'
import { testMachine } from './support/wire.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

beforeAll(buildGuest, 120_000)

const LISTENS = '0A'

/** The inodes of all sockets that listen on a port in the network namespace of a process. */
function listening(pid: number): ReadonlySet<string> {
  const lines = ['tcp', 'tcp6'].flatMap((name) => readFileSync(`/proc/${pid}/net/${name}`, 'utf8').split('\n').slice(1))
  const sockets = lines.map((line) => line.trim().split(/\s+/u))
  return new Set(sockets.flatMap(([, , , state, , , , , , inode]) => (state === LISTENS && inode ? [inode] : [])))
}

function listenersOf(pid: number): readonly string[] {
  const open = readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [/^socket:\[(\d+)\]$/u.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? '']
    } catch {
      return []
    }
  })
  const all = listening(pid)
  return open.filter((inode) => all.has(inode))
}

/** A place, how it is reached, and words in the arguments of our processes there. */
const PLACES = {
  'a plain program': () => {
    const base = temporaryFolder('no-ports')
    const { connectBy, home } = testMachine(base, () => ({}))
    return Promise.resolve({ place: { kind: 'ssh', host: 'box', port: null }, parts: { connectBy }, folder: base, ours: home } as const)
  },
  ssh: async () => {
    const { host, config, folder, home, close } = await startSshServer()
    onTestFinished(close)
    return { place: { kind: 'ssh', host, port: null }, parts: { sshConfig: config }, folder, ours: home } as const
  },
  podman: () => {
    const { name, inside, close } = startContainer()
    onTestFinished(close)
    return Promise.resolve({ place: { kind: 'container', name }, parts: {}, folder: inside, ours: '.cache/countersign' } as const)
  },
}

test.skipIf(process.platform !== 'linux').for([
  ['a plain program', null],
  ['ssh', whyNoSshServer],
  ['podman', whyNoContainer],
] as const)('neither half listens on a port, while a program runs there (%s)', { timeout: 180_000 }, async ([kind, missing], { skip }) => {
  if (missing !== null) return skip(missing)
  const { place, parts, folder, ours } = await PLACES[kind]()
  const before = listenersOf(process.pid)
  const earlier = new Set(processesNaming(ours))
  const places = createPlaces({ redactor: NO_REDACTOR, mayInstall: () => Promise.resolve(true), ...parts })
  onTestFinished(() => places.close())
  const reached = await places.reach(place)
  if (!reached.ok) throw new Error(reached.failure.what)
  const env = reached.value.createEnvironment(folder)
  const program = await env.open(['sleep', '60'])
  const there = processesNaming(ours).filter((pid) => !earlier.has(pid))
  expect(there.length).toBeGreaterThanOrEqual(2)
  expect(there.flatMap(listenersOf)).toEqual([])
  expect(listenersOf(process.pid)).toEqual(before)
  await program.kill()
})
