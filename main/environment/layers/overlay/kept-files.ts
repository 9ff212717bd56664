import { randomBytes } from 'node:crypto'
import { cp, lstat, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { isObject } from '../../../../shared/lib/json.ts'
import { isInside } from '../../../is-inside.ts'

/**
 * Files below home that programs in a layer may replace, and folders that they may create. Their changes go to the layer's scratch folder.
 */
export interface KeptFiles {
  /** Copies the changes to the real home folder. Call this when every program in the layer has ended. */
  save(): Promise<void>
}

/** `paths`: absolute paths, which need not exist. `upper`: the folder with everything that programs write below home. */
export async function keptFiles(paths: readonly string[], home: string, upper: string): Promise<KeptFiles> {
  const below = paths.filter((path) => isInside(home, path) && path !== home)
  const before = await Promise.all(below.map(bytesOf))
  return {
    async save() {
      for (const [at, path] of below.entries()) {
        const own = join(upper, relative(home, path))
        const found = await lstat(own).catch(() => null)
        if (found?.isFile()) await saveFile(path, before[at] ?? null, await readFile(own), found.mode & 0o777)
        // A folder that existed was mounted, so its changes are in the real folder already.
        else if (found?.isDirectory() && !(await exists(path))) await cp(own, path, { recursive: true, preserveTimestamps: true })
      }
    },
  }
}

async function saveFile(path: string, before: Buffer | null, own: Buffer, mode: number): Promise<void> {
  const now = await bytesOf(path)
  if (now?.equals(own)) return
  const isUnchanged = now === null ? before === null : before !== null && now.equals(before)
  const bytes = isUnchanged ? own : mergedJson(before, now, own)
  // If both sides changed a file that is not JSON, the home folder keeps its own version.
  if (bytes === null || !(await exists(dirname(path)))) return
  const fresh = `${path}.countersign-${randomBytes(6).toString('hex')}`
  try {
    await writeFile(fresh, bytes, { mode, flag: 'wx' })
    await rename(fresh, path)
  } finally {
    await rm(fresh, { force: true })
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
