import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LearnedStorage } from '../providers/catalogue/learned-from-refusals.ts'
import { writeDurably } from '../store/blobs/durable-file.ts'

/**
 * A file of the data folder with facts learned from services: `services.json` for refused parameters, `models.json` for lists of models. Or
 * `mcp-choices.json`, with decisions about MCP servers, and `free-hooks.json`, with hooks that may run unconfined. It may be lost, since they are learned or asked again.
 */
export function jsonDataFile(folder: string, name: 'services' | 'models' | 'mcp-choices' | 'free-hooks' = 'services'): LearnedStorage {
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
        // If the disk is full, the facts are known until the process ends.
      }
    },
  }
}
