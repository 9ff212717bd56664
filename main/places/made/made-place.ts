import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { orNull } from '../../environment/environment-failure.ts'
import { writeDurably } from '../../store/blobs/durable-file.ts'

const madePlace = z.object({
  version: z.literal(1),
  /** The name of the container or pod. It is derived from the id of the first session in it. */
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/u),
  /** What the place is made from, as the text of a `NewPlace`. It is complete, so nothing depends on the user's configuration. */
  from: z.string(),
  /** The real path of the folder on this computer. */
  folder: z.string(),
  /** The address of this folder, or of its clone, at the place. */
  address: z.string(),
  /** In ms since 1970. */
  createdAt: z.number(),
})

/**
 * A container or pod that Countersign makes for a session. It can be removed and made again at any time, because it works on the real
 * folder, or on a clone whose fetched state is kept on this computer.
 */
export type MadePlace = z.infer<typeof madePlace>

export interface MadeRecords {
  get(name: string): MadePlace | null
  list(): readonly MadePlace[]
  put(made: MadePlace): void
  remove(name: string): void
  /** Our folder for the other files about a place. It may not exist. */
  folderOf(name: string): string
}

/**
 * The records of made places. Each has a file of its own, so that two processes never write the same file. A record is written before its
 * place is made, so that every place that exists is listed.
 */
export function madeRecordsIn(folder: string | null): MadeRecords {
  if (folder === null) return NONE
  const fileOf = (name: string): string => join(folder, `${name}.json`)
  const get = (name: string): MadePlace | null => orNull(() => madePlace.parse(JSON.parse(readFileSync(fileOf(name), 'utf8'))))
  return {
    get,
    list() {
      const names = (orNull(() => readdirSync(folder)) ?? []).flatMap((name) =>
        name.endsWith('.json') && !name.startsWith('.') ? [name.slice(0, -5)] : [],
      )
      return names
        .map(get)
        .filter((made) => made !== null)
        .toSorted((a, b) => a.createdAt - b.createdAt)
    },
    put(made) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      writeDurably(join(folder, `.${made.name}-${randomUUID()}`), fileOf(made.name), Buffer.from(`${JSON.stringify(made, null, 2)}\n`))
    },
    remove(name) {
      rmSync(fileOf(name), { force: true })
      rmSync(join(folder, name), { recursive: true, force: true })
    },
    folderOf: (name) => join(folder, name),
  }
}

const NONE: MadeRecords = {
  get: () => null,
  list: () => [],
  put: () => {},
  remove: () => {},
  folderOf: (name) => name,
}
