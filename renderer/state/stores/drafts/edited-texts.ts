import { z } from 'zod'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import { type BrowserStorage, readStored, writeStored } from '../browser-storage.ts'

/** A file that is being edited in place. */
const EditedText = z.object({
  /** The text that the edit started from. */
  shown: z.string(),
  /** The text as it was typed. */
  written: z.string(),
})
type EditedText = z.infer<typeof EditedText>

/** Unsaved edits of files. `path` is the real path, because a file can be opened by several paths. They survive a reload. */
export interface EditedTexts {
  get(sessionId: SessionId, path: string): EditedText | null
  /** Null discards the edit. */
  set(sessionId: SessionId, path: string, edited: EditedText | null): void
  /** Stores all edits now, before the window closes. */
  flush(): void
}

const KEY = 'countersign.edited-texts'
const Stored = z.array(z.tuple([z.string(), EditedText]))

export function createEditedTexts(storage: BrowserStorage | null): EditedTexts {
  const texts = new Map(remembered(readStored(storage, KEY)))
  const keyOf = (sessionId: SessionId, path: string): string => `${sessionId}\n${path}`
  return {
    get: (sessionId, path) => texts.get(keyOf(sessionId, path)) ?? null,
    set(sessionId, path, edited) {
      if (edited === null) texts.delete(keyOf(sessionId, path))
      else texts.set(keyOf(sessionId, path), edited)
    },
    flush: () => writeStored(storage, KEY, texts.size === 0 ? null : JSON.stringify([...texts])),
  }
}

function remembered(note: string | null): z.infer<typeof Stored> {
  try {
    return Stored.parse(JSON.parse(note ?? '[]'))
  } catch {
    return []
  }
}
