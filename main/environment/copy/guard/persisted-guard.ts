import { appendFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { copyFile, type FileHandle, link, open, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { type Disposable, disposable } from '../../../../shared/lib/disposable.ts'
import { hashOf } from '../../../agent/blob-hash.ts'
import { createSlices } from '../../../agent/event-loop-slices.ts'
import type { ConfinementOwner } from '../../../agent/ports/command-copies.ts'
import { makeKnownFolder, removeLayer } from '../overlay-layer.ts'
import { isBelow } from '../start/sandbox-view.ts'
import type { SignedFiles, StandingControl } from './control-file-contents.ts'
import { statsOf } from './control-file-listing.ts'
import type { FirstControls } from './known-control-files.ts'

// What a guard knows is also kept on the disk, because the app may be killed while a confined command runs. The next launch then checks the
// folder once more. The layer of a confinement has these files: facts about the guard, a line for each control file, a line for each signed
// file, and a file whose modification time says when the app was last alive.
const [FACTS, CONTROLS, SIGNED, ALIVE] = ['guard.json', 'guard-controls', 'guard-signed', 'guard-alive'] as const

/** Time between two signs of life, in ms. */
const ALIVE_MS = 2_000
/**
 * The app may have been alive for up to this many ms after its last sign of life, because it may have been too busy to write the next one.
 */
const BUSY_MS = 10_000
/** Maximum number of bytes of control files that one process keeps on the disk. Further files cannot be restored after a kill. */
const MOST_ON_DISK = 64 * 1024 ** 2

const factsSchema = z.object({
  /** The folder's path as commands see it, and its real path (`source`). */
  folder: z.string(),
  source: z.string(),
  /** Identifies the folder itself. */
  root: z.object({ dev: z.number(), ino: z.number(), bornAt: z.number() }),
  /** When the guard began, in ms since 1970. */
  began: z.number(),
  owner: z.object({ sessionId: z.string().nullable(), what: z.string() }).nullable(),
  closed: z.array(z.string()),
  unreadable: z.array(z.string()),
  /** The file that contains the bytes of control files. */
  bytes: z.string(),
})
type Facts = z.infer<typeof factsSchema>

const controlSchema = z.object({
  path: z.string(),
  identity: z.string(),
  changedAt: z.number(),
  bornAt: z.number(),
  kind: z.enum(['file', 'link', 'folder', 'other']),
  content: z
    .object({
      hash: z.string(),
      mode: z.number(),
      uid: z.number(),
      gid: z.number(),
      /** Where its bytes begin in the file of bytes, and their number. Null if they were not kept. */
      at: z.tuple([z.number(), z.number()]).nullable(),
    })
    .nullable(),
})

const signedSchema = z.object({ path: z.string(), hash: z.string() })

export interface ToKeep extends FirstControls, Pick<Facts, 'folder' | 'source' | 'began'> {
  readonly owner: ConfinementOwner | null
  readonly unreadable: ReadonlySet<string>
}

/** A guard whose data is on disk. If this process is killed, a later launch uses the data to check the folder. */
export interface PersistedGuard {
  /**
   * From `since` (ms since 1970) until the returned object is disposed, changes to control files may be the work of a confined program. A
   * later launch checks only changes in this period.
   */
  suspect(since: number): Disposable
  close(): void
}

export type GuardKeeper = ReturnType<typeof createGuardKeeper>

/** Keeps guards on the disk. What was written for one guard is used for the next one too, so that most guards write only a few bytes. */
export function createGuardKeeper(layers: string, signed: SignedFiles) {
  let shared: Promise<Shared> | null = null
  let work: Promise<unknown> = Promise.resolve()
  /** If the shared files cannot be written, their content is uncertain, so the next guard starts new ones. */
  const putShared = async (entries: ToKeep['entries']): Promise<Shared> => {
    const opening = (shared ??= openShared(layers))
    try {
      const opened = await opening
      await opened.put(entries)
      return opened
    } catch (error) {
      shared = null
      await opening.then(({ close }) => close()).catch(() => {})
      throw error
    }
  }
  const write = async (layer: string, { entries, closed, unreadable, ...kept }: ToKeep): Promise<void> => {
    const root = statsOf(kept.source)
    const { folder } = await putShared(entries)
    await link(join(folder, CONTROLS), join(layer, CONTROLS)).catch(() => copyFile(join(folder, CONTROLS), join(layer, CONTROLS)))
    const facts: Facts = {
      ...kept,
      root: { dev: root?.dev ?? 0, ino: root?.ino ?? 0, bornAt: root?.birthtimeMs ?? 0 },
      owner: kept.owner && { ...kept.owner },
      closed: [...closed],
      unreadable: [...unreadable],
      bytes: join(folder, 'bytes'),
    }
    await writeFile(join(layer, FACTS), JSON.stringify(facts), { mode: 0o600 })
  }
  return {
    /** Rejects if the guard cannot be written, for example because the disk is full. */
    async keep(layer: string, kept: ToKeep): Promise<PersistedGuard> {
      const listening = signed.onAdd((files) => {
        const own = files.filter(({ path }) => isBelow(kept.folder, path))
        const lines = own.map((file) => `${JSON.stringify(file)}\n`).join('')
        if (lines !== '') quietly(() => appendFileSync(join(layer, SIGNED), lines, { mode: 0o600 }))
      })
      const own = (work = work.catch(() => {}).then(() => write(layer, kept)))
      try {
        await own
      } catch (error) {
        listening.dispose()
        throw error
      }
      const alive = signsOfLife(join(layer, ALIVE))
      return {
        suspect: alive.suspect,
        close() {
          listening.dispose()
          alive.end()
        },
      }
    },
    async remove(): Promise<void> {
      const left = await shared?.catch(() => null)
      shared = null
      if (!left) return
      await left.close()
      await removeLayer({ path: left.folder })
    },
  }
}

type Shared = Awaited<ReturnType<typeof openShared>>

/** Files that the guards of one process share. */
async function openShared(layers: string) {
  const folder = await makeKnownFolder(layers)
  const bytes = await open(join(folder, 'bytes'), 'wx', 0o600)
  const places = new Map<string, [number, number]>()
  let size = 0
  let written: ReadonlyMap<string, StandingControl> | null = null
  /** Puts the bytes of new contents at the end of the file of bytes. */
  const putBytes = async (entries: Iterable<StandingControl>): Promise<void> => {
    const added: Uint8Array[] = []
    for (const { content } of entries) {
      if (!content?.bytes || places.has(content.hash) || size + content.bytes.length > MOST_ON_DISK) continue
      places.set(content.hash, [size, content.bytes.length])
      size += content.bytes.length
      added.push(content.bytes)
    }
    for (const one of added) await bytes.writeFile(one)
  }
  return {
    folder,
    /** Writes a line for each entry, unless the file has exactly these lines. */
    async put(entries: ReadonlyMap<string, StandingControl>): Promise<void> {
      if (written?.size === entries.size && [...entries].every(([path, one]) => written?.get(path) === one)) return
      await putBytes(entries.values())
      const slice = createSlices()
      const lines: string[] = []
      for (const [path, { content, ...entry }] of entries) {
        const kept = content && {
          hash: content.hash,
          mode: content.mode,
          uid: content.uid,
          gid: content.gid,
          at: places.get(content.hash) ?? null,
        }
        lines.push(`${JSON.stringify({ path, ...entry, content: kept })}\n`)
        await slice()
      }
      await writeFile(join(folder, 'new'), lines.join(''), { mode: 0o600 })
      await rename(join(folder, 'new'), join(folder, CONTROLS))
      written = entries
    },
    close: (): Promise<void> => bytes.close(),
  }
}

/** While changes are suspect, keeps a file that contains the time at which that began, and touches the file regularly as a sign of life. */
function signsOfLife(file: string) {
  const open = new Set<{ readonly since: number }>()
  let written: number | null = null
  let timer: NodeJS.Timeout | undefined
  const update = (): void => {
    const since = open.size === 0 ? null : Math.min(...[...open].map((one) => one.since))
    if (since === written) return
    written = since
    clearInterval(timer)
    if (since === null) return quietly(() => rmSync(file, { force: true }))
    quietly(() => writeFileSync(file, String(since), { mode: 0o600 }))
    timer = setInterval(() => quietly(() => utimesSync(file, Date.now() / 1000, Date.now() / 1000)), ALIVE_MS).unref()
  }
  return {
    suspect(since: number): Disposable {
      const one = { since }
      open.add(one)
      update()
      return disposable(() => {
        open.delete(one)
        update()
      })
    },
    end(): void {
      open.clear()
      update()
    },
  }
}

/** If the disk becomes full while a command runs, the command continues. Only the check after a kill is then impossible. */
function quietly(write: () => void): void {
  try {
    write()
  } catch {
    // The command continues without the check.
  }
}

/** A guard of a killed process, as its layer describes it. */
export interface GuardOfKilled extends FirstControls, Pick<Facts, 'folder' | 'source' | 'root' | 'owner'> {
  readonly unreadable: ReadonlySet<string>
  /** In ms since 1970. Changes after this time may be the work of a confined program. */
  readonly since: number
  /** The process died before this moment. In ms since 1970. */
  readonly diedBy: number
  /** The SHA-256 of every content that was signed for an absolute path. */
  readonly signed: ReadonlyMap<string, ReadonlySet<string>>
}

/** Null if there was no guard, or if no program ran that could have changed a control file. */
export async function readKeptGuard(layer: string): Promise<GuardOfKilled | null> {
  const alive = await stat(join(layer, ALIVE)).catch(() => null)
  if (alive === null) return null
  const facts = factsSchema.parse(JSON.parse(await readFile(join(layer, FACTS), 'utf8')))
  const entries = await readControls(join(layer, CONTROLS), facts.bytes)
  const signed = new Map<string, Set<string>>()
  for (const line of linesOf(await readFile(join(layer, SIGNED), 'utf8').catch(() => ''))) {
    const { path, hash } = signedSchema.parse(JSON.parse(line))
    signed.set(path, (signed.get(path) ?? new Set()).add(hash))
  }
  // If the machine lost power, the file may be empty.
  const since = Number(await readFile(join(layer, ALIVE), 'utf8')) || facts.began
  return { ...facts, unreadable: new Set(facts.unreadable), entries, since, diedBy: alive.mtimeMs + BUSY_MS, signed }
}

/** The last line may be incomplete. */
const linesOf = (text: string): readonly string[] => text.split('\n').slice(0, -1)

async function readControls(file: string, bytesFile: string): Promise<ReadonlyMap<string, StandingControl>> {
  const entries = new Map<string, StandingControl>()
  const bytes = await open(bytesFile).catch(() => null)
  const slice = createSlices()
  try {
    for (const line of linesOf(await readFile(file, 'utf8'))) {
      await slice()
      const { path, content, ...entry } = controlSchema.parse(JSON.parse(line))
      if (content === null) {
        entries.set(path, { ...entry, content })
        continue
      }
      const { at, ...known } = content
      entries.set(path, { ...entry, content: { ...known, bytes: bytes && at ? await bytesAt(bytes, at, known.hash) : null } })
    }
  } finally {
    await bytes?.close()
  }
  return entries
}

/** Null if the bytes are not those with this hash, for example because the machine lost power before they were on the disk. */
async function bytesAt(file: FileHandle, [from, length]: readonly [number, number], hash: string): Promise<Uint8Array | null> {
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, from)
  return hashOf(buffer) === hash ? buffer : null
}
