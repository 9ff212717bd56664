import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LearnedStorage } from '../providers/catalogue/learned-from-refusals.ts'
import { writeDurably } from '../store/blobs/durable-file.ts'

type DataFileName = 'services' | 'models' | 'mcp-choices' | 'free-hooks' | 'seen-notices' | 'copy-support'

/**
 * Returns storage in a file of the data folder. Losing the file does no harm, because Countersign can learn or ask for its content again:
 * `services.json` with refused parameters, `models.json` with lists of models, `mcp-choices.json` with decisions about MCP servers,
 * `free-hooks.json` with hooks that may run unconfined, `seen-notices.json` with notices that the user has seen, or `copy-support.json` with
 * the disks on which a command has run in a copy.
 */
export function jsonDataFile(folder: string, name: DataFileName = 'services'): LearnedStorage {
  const file = join(folder, `${name}.json`)
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
        writeDurably(join(folder, `.${name}-${randomUUID()}`), file, Buffer.from(`${JSON.stringify(kept, null, 2)}\n`))
      } catch {
        // If the disk is full, the caller still has the data in memory until the process ends.
      }
    },
  }
}
