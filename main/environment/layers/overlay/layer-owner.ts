import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { link, readFile, rm, unlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { EnvironmentFailure, orNull } from '../../environment-failure.ts'
import { hasOwnerEnded, ownerName } from '../../copy/overlay-layer.ts'
import type { DurableLayer } from './durable-layer.ts'

/** How often to check whether the processes of a killed owner have ended, and how long to keep checking, in ms. */
const LOOK_MS = 5
const END_MS = 10_000

/**
 * Takes a layer for this process, because two overlays must not share an upper folder. If the app was killed while programs ran in the
 * layer, waits for their end. Rejects with `ENOLAYER` while another process has the layer.
 */
export async function own(layer: DurableLayer): Promise<void> {
  const name = ownerName()
  const mine = join(layer.path, `owner-${randomBytes(6).toString('hex')}`)
  await writeFile(mine, name, { flag: 'wx', mode: 0o600 })
  try {
    // A file with this name that contains nothing can never be seen.
    while (!(await isLinked(mine, layer.owner))) {
      const holder = await readFile(layer.owner, 'utf8').catch(() => null)
      if (holder === name) return
      if (holder === null) continue
      if (!hasOwnerEnded(holder))
        throw new EnvironmentFailure('ENOLAYER', `Another Countersign (process ${holder.split('.')[0]}) works in this session's layer.`)
      await endProcessesIn(layer)
      await unlink(layer.owner).catch(() => {})
    }
  } finally {
    await rm(mine, { force: true })
  }
}

/** Gives the layer back once nothing runs in it any more. */
export async function disown({ owner }: DurableLayer): Promise<void> {
  const holder = await readFile(owner, 'utf8').catch(() => null)
  if (holder === ownerName()) await rm(owner, { force: true })
}

const isLinked = (from: string, to: string): Promise<boolean> =>
  link(from, to).then(
    () => true,
    () => false,
  )

/** The kernel ends the processes of a layer together with the process that started them, but not in the same moment. */
async function endProcessesIn(layer: DurableLayer): Promise<void> {
  for (const until = performance.now() + END_MS; performance.now() < until; await delay(LOOK_MS)) {
    const left = processesIn(layer)
    if (left.length === 0) return
    for (const pid of left) orNull(() => process.kill(pid, 'SIGKILL'))
  }
  throw new EnvironmentFailure('ENOLAYER', "Programs still run in this session's layer and cannot be ended.")
}

/**
 * Those that prepare the start have the layer as their working folder. Those inside have its `/tmp`, whose mount names the layer. Processes
 * of other users cannot be read, and are not in the layer.
 */
function processesIn({ path }: DurableLayer): readonly number[] {
  const mounted = `/${basename(path)}/tmp /tmp `
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name)
    if (!Number.isInteger(pid) || pid === process.pid) return []
    const isOutside = orNull(() => readlinkSync(`/proc/${pid}/cwd`)) === path
    const isInside = isOutside || orNull(() => readFileSync(`/proc/${pid}/mountinfo`, 'utf8'))?.includes(mounted) === true
    return isInside ? [pid] : []
  })
}
