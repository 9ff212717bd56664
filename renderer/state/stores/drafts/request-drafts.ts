import { z } from 'zod'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { ApprovalId } from '../../../../shared/lib/ids.ts'
import { type BrowserStorage, readStored, writeStored } from '../browser-storage.ts'

/** Unsent decisions and text, by request. They survive a reload of the window. */
export interface RequestDrafts<T> {
  readonly store: StoreApi<ReadonlyMap<ApprovalId, T>>
  /** Stores all changes now, before the window closes. */
  flush(): void
}

/** Delay in ms before a change is stored. */
const WRITE_AFTER_MS = 300

/** Maximum number of requests whose drafts are stored. The drafts that were changed least recently are dropped. */
const KEPT = 50

/** `kind` is the last part of the storage key. A stored draft that does not fit the schema is ignored, so that it cannot break the desk. */
export function createRequestDrafts<T>(storage: BrowserStorage | null, kind: string, schema: z.ZodType<T>): RequestDrafts<T> {
  const key = `countersign.requests.${kind}`
  const store = createStore<ReadonlyMap<ApprovalId, T>>(() => parsed(readStored(storage, key), schema))
  /** The least recently changed one first. */
  const order = new Set(store.getState().keys())
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = (): void => {
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
    const drafts = [...order].flatMap((id) => {
      const draft = store.getState().get(id)
      return draft === undefined ? [] : [[id, draft] as const]
    })
    writeStored(storage, key, JSON.stringify(drafts.slice(-KEPT), asPlain))
  }
  store.subscribe((now, before) => {
    for (const [id, draft] of now) {
      if (draft === before.get(id)) continue
      order.delete(id)
      order.add(id)
    }
    timer ??= setTimeout(flush, WRITE_AFTER_MS)
  })
  return { store, flush }
}

const Stored = z.array(z.tuple([ApprovalId, z.unknown()]))

function parsed<T>(text: string | null, schema: z.ZodType<T>): ReadonlyMap<ApprovalId, T> {
  const drafts = new Map<ApprovalId, T>()
  try {
    for (const [id, draft] of Stored.parse(JSON.parse(text ?? '[]', fromPlain))) {
      const checked = schema.safeParse(draft)
      if (checked.success) drafts.set(id, checked.data)
    }
  } catch {
    // Drafts that cannot be read are dropped.
  }
  return drafts
}

/** JSON has neither maps nor sets. */
function asPlain(_key: string, value: unknown): unknown {
  if (value instanceof Map) return { $map: [...value] }
  return value instanceof Set ? { $set: [...value] } : value
}

function fromPlain(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if ('$map' in value && Array.isArray(value.$map)) return new Map(value.$map)
  return '$set' in value && Array.isArray(value.$set) ? new Set(value.$set) : value
}
