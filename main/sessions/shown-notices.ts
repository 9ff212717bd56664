import { createHash } from 'node:crypto'
import { z } from 'zod'
import { once } from '../../shared/lib/once.ts'
import type { LearnedStorage } from '../providers/catalogue/learned-from-refusals.ts'

/** Maximum number of stored notices. The oldest are forgotten, and would be shown once more. */
const MAX_NOTICES = 200

/** Records which notices the user has seen in any session, so that the same notice is not shown at the start of every session. */
export interface ShownNotices {
  has(text: string): boolean
  add(text: string): void
}

/** Stores hashes of the texts in a file of the data folder. If the file is lost, each notice is shown once more. */
export function createShownNotices(file: LearnedStorage): ShownNotices {
  // The file is read each time, because other processes change it.
  const stored = (): readonly string[] => hashesSchema().safeParse(file.read()).data ?? []
  return {
    has: (text) => stored().includes(hashOf(text)),
    add(text) {
      if (!stored().includes(hashOf(text))) file.write([...stored(), hashOf(text)].slice(-MAX_NOTICES))
    },
  }
}

const hashesSchema = once(() => z.array(z.string()))

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
