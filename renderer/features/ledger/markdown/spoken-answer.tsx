import { type ReactNode, useEffect, useRef } from 'react'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import type { ProseItem, SessionState } from '../../../../shared/session/state.ts'
import { useSession } from '../../../state/desk-context.ts'

/** Announces the answer to screen readers sentence by sentence while it is written. */
export function SpokenAnswer({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const isOpen = useSession(sessionId, () => true, false)
  const writing = useSession(sessionId, (session) => session.live?.text ?? '', '')
  const written = useSession<ProseItem | null>(sessionId, newestProse, null)
  const spoken = useRef({ upTo: 0, writtenId: null as string | null, hasBegun: false })

  useEffect(() => {
    if (!isOpen) return
    const { upTo, writtenId, hasBegun } = spoken.current
    const isNew = hasBegun && written !== null && written.id !== writtenId
    // Answers that were written before the session was opened are not announced.
    if (isNew) say(written.text.slice(upTo))
    const from = isNew ? 0 : upTo
    const end = endOfLastSentence(writing)
    if (end > from) say(writing.slice(from, end))
    spoken.current = { upTo: writing === '' ? 0 : Math.max(from, end), writtenId: written?.id ?? null, hasBegun: true }
  }, [isOpen, writing, written])
  return null
}

function newestProse({ items }: SessionState): ProseItem | null {
  return items.findLast((item): item is ProseItem => item.kind === 'prose') ?? null
}

function say(words: string): void {
  if (words.trim() !== '') document.ariaNotify(words.trim(), { priority: 'normal' })
}

declare global {
  interface Document {
    /** Announces words to screen readers without putting them on the page. Every Chromium version that we use supports this method. */
    ariaNotify(words: string, options: { readonly priority: 'normal' | 'high' }): void
  }
}

/** Number of characters at the end that are searched, so that a long answer costs no more than a short one. */
const LOOKED_AT = 2_000

/** Returns the position of the end of the last complete sentence or line of a text. 0 if there is none. */
export function endOfLastSentence(text: string): number {
  const from = Math.max(0, text.length - LOOKED_AT)
  const last = [...text.slice(from).matchAll(/[.!?:](?=\s|$)|\n/g)].at(-1)
  return last ? from + last.index + 1 : 0
}
