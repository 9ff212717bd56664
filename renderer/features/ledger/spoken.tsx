import { type ReactNode, useState } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { useSession } from '../../state/desk-context.ts'
import { LiveRegion } from '../../ui/notices/live-region.tsx'

/** Screen readers hear the answer sentence by sentence while it is written, and nothing twice (look §7). */
export function Spoken({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const text = useSession(sessionId, (session) => session.live?.text ?? '', '')
  const [spoken, setSpoken] = useState({ upTo: 0, sentence: '' })
  const upTo = endOfLastSentence(text)
  if (upTo < spoken.upTo) setSpoken({ upTo: 0, sentence: '' })
  else if (upTo > spoken.upTo) setSpoken({ upTo, sentence: text.slice(spoken.upTo, upTo).trim() })
  return <LiveRegion message={spoken.sentence} />
}

/** Where the last whole sentence or line of a text ends; 0 for none. */
export function endOfLastSentence(text: string): number {
  const ends = [...text.slice(-2_000).matchAll(/[.!?:](?=\s|$)|\n/g)]
  const last = ends.at(-1)
  return last ? Math.max(0, text.length - 2_000) + last.index + 1 : 0
}
