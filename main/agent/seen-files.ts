import type { BlobHash } from '../../shared/lib/ids.ts'
import type { DurableEvent } from '../../shared/session/events.ts'

/**
 * What the agent saw of each file when it last read or wrote it, by real path, from the log alone: "changed since you read it" must
 * give the same answer after a restart (fault 9).
 */
export interface SeenFiles {
  add(event: DurableEvent): void
  get(path: string): BlobHash | null
}

export function createSeenFiles(): SeenFiles {
  const seen = new Map<string, BlobHash>()
  return {
    add(event) {
      if (event.kind !== 'TOOL_CALL_END') return
      for (const { path, hash } of event.saw ?? []) seen.set(path, hash)
    },
    get: (path) => seen.get(path) ?? null,
  }
}
