import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { createPlaces } from '../../main/places/places.ts'
import { NO_REDACTOR } from './support/no-redactor.ts'
import { buildGuest, processesNaming } from './support/ssh-server.ts'
import { testMachine } from './support/wire.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

beforeAll(buildGuest, 120_000)

const LISTENS = '0A'

/** The inodes of all sockets of this machine that listen on a port. */
function listening(): ReadonlySet<string> {
  const lines = ['tcp', 'tcp6'].flatMap((name) => readFileSync(`/proc/net/${name}`, 'utf8').split('\n').slice(1))
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
  const all = listening()
  return open.filter((inode) => all.has(inode))
}

test.skipIf(process.platform !== 'linux')('neither half listens on a port, while a program runs there', async () => {
  const base = temporaryFolder('no-ports')
  const before = listenersOf(process.pid)
  const machine = testMachine(base, () => ({}))
  const places = createPlaces({ redactor: NO_REDACTOR, mayInstall: () => Promise.resolve(true), connectBy: machine.connectBy })
  onTestFinished(() => places.close())
  const reached = await places.reach({ kind: 'ssh', host: 'box', port: null })
  if (!reached.ok) throw new Error(reached.failure.what)
  const env = reached.value.createEnvironment(base)
  const program = await env.open(['sleep', '60'])
  const there = processesNaming(machine.home)
  expect(there.length).toBeGreaterThanOrEqual(2)
  expect(there.flatMap(listenersOf)).toEqual([])
  expect(listenersOf(process.pid)).toEqual(before)
  await program.kill()
})
