import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { writeDurably } from '../store/blobs/durable-file.ts'

/**
 * Stores keys by provider, and other secrets by name, in `keys.json` of the data folder. They are encrypted by the system's keychain, and
 * the file is useless without that keychain.
 */
export interface SealedKeys {
  read(name: string): Buffer | null
  /** Null removes the key. A file that cannot be read is not overwritten. */
  write(name: string, sealed: Buffer | null): Result<null, Trouble>
}

const SealedFile = z.object({ sealed: z.record(z.string(), z.base64()) })

export function openSealedKeys(folder: string): SealedKeys {
  const file = join(folder, 'keys.json')
  return {
    read(name) {
      const held = load(file)
      const sealed = held.ok && Object.hasOwn(held.value, name) ? held.value[name] : undefined
      return sealed === undefined ? null : Buffer.from(sealed, 'base64')
    },
    write(name, sealed) {
      const held = load(file)
      if (!held.ok) return held
      const others = Object.entries(held.value).filter(([other]) => other !== name)
      const all = sealed ? [...others, [name, sealed.toString('base64')] as const] : others
      try {
        writeDurably(`${file}.${randomUUID()}.tmp`, file, Buffer.from(`${JSON.stringify({ sealed: Object.fromEntries(all) }, null, 2)}\n`))
        return ok(null)
      } catch (error) {
        return failed(
          trouble(`${file} could not be written: ${messageOf(error)}`, `Make ${folder} writable and free some space, then try again.`),
        )
      }
    },
  }
}

function load(file: string): Result<Readonly<Record<string, string>>, Trouble> {
  try {
    return ok(SealedFile.parse(JSON.parse(readFileSync(file, 'utf8'))).sealed)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ok({})
    const why = error instanceof z.ZodError || error instanceof SyntaxError ? 'it is damaged' : messageOf(error)
    return failed(trouble(`${file} cannot be read: ${why}`, `Move ${file} away, then set the keys again.`))
  }
}

const trouble = (what: string, todo: string): Trouble => ({
  code: 'keys_file',
  what,
  kept: 'All keys that are already stored are unchanged.',
  todo,
})

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
