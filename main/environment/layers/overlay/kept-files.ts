import { randomBytes } from 'node:crypto'
import { cp, lstat, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { isObject } from '../../../../shared/lib/json.ts'
import { isInside } from '../../../is-inside.ts'
import { untilAllEnded, untilOver } from '../../copy/run-in-copy.ts'
import { orNull } from '../../environment-failure.ts'
import { startTimeOf } from '../../process/find-processes.ts'
import { keptNoteIn } from '../../temporary-folder.ts'

const PROGRAM = 'program.json'

/** What programs in a layer may change below home. Their changes go to a scratch folder. */
export interface KeptFiles {
  /** Absolute paths of files that may be replaced and folders that may be made. They need not exist. Those outside of home are left out. */
  readonly paths: readonly string[]
  /** The real path of the home folder. */
  readonly home: string
  /** The folder whose `up` gets everything that programs write below home. */
  readonly scratch: string
  /** The path of the layer in which the programs run. */
  readonly layer: string
}

/** A file in the scratch folder, so that the changes can still be saved after the app was killed. `before`: the old bytes, in base64. */
const noteSchema = z.object({
  home: z.string(),
  layer: z.string(),
  files: z.array(z.object({ path: z.string(), before: z.base64().nullable() })),
})

type Note = z.infer<typeof noteSchema>

/** The first process in the layer. It is kept in a separate file, because a short program may have ended, and its note may be gone, before then. */
const programSchema = z.object({ pid: z.number().int().positive(), startTime: z.string().nullable() })

/** Call this before the programs start. */
export async function noteKeptFiles({ paths, home, scratch, layer }: KeptFiles): Promise<void> {
  const below = paths.filter((path) => isInside(home, path) && path !== home)
  const files = await Promise.all(below.map(async (path) => ({ path, before: (await bytesOf(path))?.toString('base64') ?? null })))
  if (files.length > 0) await writeNote(scratch, { home, layer, files })
}

/** Call this when the programs have started. `pid`: of the first process inside, whose end ends all others. */
export async function noteProgram(scratch: string, pid: number): Promise<void> {
  await writeFile(join(scratch, PROGRAM), JSON.stringify({ pid, startTime: startTimeOf(pid) }))
}

/** Whether the folder still holds changes that were not saved. */
export const hasKeptNote = (scratch: string): Promise<boolean> => exists(keptNoteIn(scratch))

/**
 * Copies the changes to the real home folder, once, when every program that could make them has ended. Does nothing without a note.
 * Rejects, and keeps the note, if a program does not end or a file cannot be written. The note then names only the files that are left.
 */
export async function saveKeptFiles(scratch: string): Promise<void> {
  // If the app was killed while it wrote the note, nothing has run.
  const note = await parsedFile(keptNoteIn(scratch), noteSchema)
  if (note === null) return
  const program = await parsedFile(join(scratch, PROGRAM), programSchema)
  // By now, another program may run in the layer. Only the layer knows a program whose start was interrupted.
  await (program === null ? untilAllEnded({ path: note.layer }) : untilOver(program.pid, program.startTime))
  const left: Note['files'] = []
  const failures: unknown[] = []
  for (const file of note.files)
    await save(file, join(scratch, 'up', relative(note.home, file.path))).catch((error: unknown) => {
      left.push(file)
      failures.push(error)
    })
  if (failures.length === 0) return rm(keptNoteIn(scratch))
  await writeNote(scratch, { ...note, files: left })
  throw failures[0]
}

async function save({ path, before }: Note['files'][number], own: string): Promise<void> {
  const found = await lstat(own).catch(() => null)
  if (found?.isFile()) await saveFile(path, before === null ? null : Buffer.from(before, 'base64'), await readFile(own), found.mode & 0o777)
  // A folder that existed was mounted, so its changes are in the real folder already.
  else if (found?.isDirectory() && !(await exists(path)))
    await put(path, (fresh) => cp(own, fresh, { recursive: true, preserveTimestamps: true }))
}

/** A note that is replaced is never half written. */
const writeNote = (scratch: string, note: Note): Promise<void> =>
  put(keptNoteIn(scratch), (fresh) => writeFile(fresh, JSON.stringify(note), { mode: 0o600, flag: 'wx' }))

/** Null if there is no such file, or something else in it. */
async function parsedFile<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return schema.safeParse(orNull(() => JSON.parse(text) as unknown)).data ?? null
}

async function saveFile(path: string, before: Buffer | null, own: Buffer, mode: number): Promise<void> {
  const now = await bytesOf(path)
  if (now?.equals(own)) return
  const isUnchanged = now === null ? before === null : before !== null && now.equals(before)
  const bytes = isUnchanged ? own : mergedJson(before, now, own)
  // If both sides changed a file that is not JSON, the home folder keeps its own version.
  if (bytes === null || !(await exists(dirname(path)))) return
  await put(path, (fresh) => writeFile(fresh, bytes, { mode, flag: 'wx' }))
}

/** `write`: writes to a new path beside `path`. If the app is killed, `path` has its old or its new content. */
async function put(path: string, write: (fresh: string) => Promise<void>): Promise<void> {
  const fresh = `${path}.countersign-${randomBytes(6).toString('hex')}`
  try {
    await write(fresh)
    await rename(fresh, path)
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

const bytesOf = (path: string): Promise<Buffer | null> => readFile(path).catch(() => null)

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )

/**
 * Merges the changes of two writers, such as two sessions, or a session and the user's own run of the agent. Null unless all versions are
 * JSON objects.
 */
function mergedJson(before: Buffer | null, now: Buffer | null, own: Buffer): Buffer | null {
  try {
    const base = parsedJson(before)
    const theirs = parsedJson(now)
    const ours = parsedJson(own)
    if (!isObject(base) || !isObject(theirs) || !isObject(ours)) return null
    return Buffer.from(`${JSON.stringify(merged(base, theirs, ours), null, 2)}\n`)
  } catch {
    return null
  }
}

const parsedJson = (bytes: Buffer | null): unknown => (bytes === null ? {} : JSON.parse(bytes.toString()))

type Fields = Readonly<Record<string, unknown>>

/** The fields of `theirs`, with the changes of `ours` since `base`. */
function merged(base: Fields, theirs: Fields, ours: Fields): Fields {
  const result = new Map(Object.entries(theirs))
  for (const name of new Set([...Object.keys(base), ...Object.keys(ours)])) {
    const from = base[name]
    const their = theirs[name]
    const our = ours[name]
    if (JSON.stringify(from) === JSON.stringify(our)) continue
    if (our === undefined) result.delete(name)
    else result.set(name, isObject(our) && isObject(their) ? merged(isObject(from) ? from : {}, their, our) : our)
  }
  return Object.fromEntries(result)
}
