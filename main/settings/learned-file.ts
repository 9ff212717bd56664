import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LearnedStorage } from '../providers/learned.ts'
import { writeDurably } from '../store/durable-file.ts'

/** `services.json` of the data folder: what services told of their models. It can be lost: it is learned again. */
export function learnedFile(folder: string): LearnedStorage {
  const file = join(folder, 'services.json')
  return {
    read() {
      try {
        return JSON.parse(readFileSync(file, 'utf8')) as unknown
      } catch {
        return null
      }
    },
    write(kept) {
      try {
        writeDurably(join(folder, `.services-${randomUUID()}`), file, Buffer.from(`${JSON.stringify(kept, null, 2)}\n`))
      } catch {
        // Without room on disk it is known until the process ends.
      }
    },
  }
}
