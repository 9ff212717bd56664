import { type ReactNode, useEffect, useRef } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { useSession } from '../../state/desk-context.ts'
import { endOfLastSentence } from './sentences.ts'

/** Screen readers hear the answer sentence by sentence while it is written, politely and nothing twice (look §7). */
export function Spoken({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const text = useSession(sessionId, (session) => session.live?.text ?? '', '')
  const spokenUpTo = useRef(0)
  useEffect(() => {
    const upTo = endOfLastSentence(text)
    if (upTo > spokenUpTo.current) document.ariaNotify(text.slice(spokenUpTo.current, upTo).trim(), { priority: 'normal' })
    spokenUpTo.current = upTo
  }, [text])
  return null
}

declare global {
  interface Document {
    /** Says words through the screen reader without putting them on the page; every Chromium that we run on has it. */
    ariaNotify(words: string, options: { readonly priority: 'normal' | 'high' }): void
  }
}
