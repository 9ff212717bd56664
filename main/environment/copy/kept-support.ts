import { createHash } from 'node:crypto'
import { readFile, realpath, stat } from 'node:fs/promises'
import { z } from 'zod'
import type { CopySupport } from '../../agent/ports/command-copies.ts'
import { ownProgram } from '../own-programs/own-programs.ts'
import { mountsBelow, PROGRAMS } from './copy-support.ts'
import { homeOf } from './run-in-copy.ts'

/** Keeps on disk which machines and disks have run a command in a copy. */
export interface SupportStorage {
  read(): unknown
  write(kept: object): void
}

/** A trial takes a quarter of a second, so its success is kept for later launches. A failure is not kept: the user may mend its cause. */
export interface KeptSupport {
  /** Whether a trial has succeeded here before, and nothing on which it depends has changed. */
  holds(): Promise<boolean>
  keep(support: CopySupport): Promise<void>
  /** Called when a copy could not be made. Returns whether that contradicts what was kept: then the next look is a trial. */
  contradict(): boolean
}

/** Number of places that are kept, newest first. Each disk with projects is one. */
const MAX_KEPT = 20

const Kept = z.object({ places: z.array(z.string()) })

export function createKeptSupport(storage: SupportStorage | undefined, places: () => Promise<Places>): KeptSupport {
  const known = (): readonly string[] => Kept.safeParse(storage?.read()).data?.places ?? []
  let isRelied = false
  let isDoubted = false
  return {
    async holds() {
      if (!storage || isDoubted) return false
      const place = await placeOf(await places())
      isRelied = place !== null && known().includes(place)
      return isRelied
    },
    async keep({ kind }) {
      const place = storage ? await placeOf(await places()) : null
      if (place === null || known().includes(place) === (kind === 'present')) return
      const others = known().filter((one) => one !== place)
      storage?.write({ places: (kind === 'present' ? [place, ...others] : others).slice(0, MAX_KEPT) })
    },
    contradict() {
      isDoubted ||= isRelied
      const isNews = isRelied
      isRelied = false
      return isNews
    },
  }
}

interface Places {
  readonly folder: string
  readonly layers: string
}

/**
 * Names everything on which the success of a trial depends: the start of the machine, the settings and rights that decide about namespaces,
 * the programs, and the disks. Null if something cannot be read, or if a mount inside the folder calls for a trial.
 */
async function placeOf({ folder, layers }: Places): Promise<string | null> {
  try {
    if ((await mountsBelow(await realpath(folder))).length > 0) return null
    const facts = await Promise.all([
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
      ...SETTINGS.map((file) => readFile(file, 'utf8').catch(() => '')),
      readFile('/proc/self/status', 'utf8').then(rightsIn),
      ...PROGRAMS.map(([program]) => programFacts(program)),
      ...[folder, layers, await homeOf()].map(async (path) => (path === null ? '' : (await stat(path)).dev)),
    ])
    return createHash('sha256').update(JSON.stringify(facts)).digest('hex')
  } catch {
    return null
  }
}

const SETTINGS = [
  '/proc/sys/kernel/apparmor_restrict_unprivileged_userns',
  '/proc/sys/kernel/unprivileged_userns_clone',
  '/proc/sys/user/max_user_namespaces',
  '/proc/self/attr/current',
  '/proc/self/uid_map',
] as const

const rightsIn = (status: string): readonly string[] =>
  status.split('\n').filter((line) => /^(?:Uid|Gid|CapEff|CapBnd|NoNewPrivs|Seccomp):/u.test(line))

async function programFacts(name: string): Promise<readonly (string | number)[]> {
  const found = ownProgram(name)
  if (found === null) return []
  const path = await realpath(found)
  const { size, mtimeMs, ino } = await stat(path)
  return [path, size, mtimeMs, ino]
}
