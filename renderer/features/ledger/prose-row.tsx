import { memo, type ReactNode } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { ProseItem } from '../../../shared/session/state.ts'
import { useSession } from '../../state/desk-context.ts'
import { ProseEntry } from './prose-entry.tsx'

export interface ProseRowProps {
  readonly sessionId: SessionId
  /** Null: what is being written at this moment, if anything is. */
  readonly item: ProseItem | null
}

/** An answer, written or being written: one row for both, so that nothing is drawn anew when it is done. */
export const ProseRow = memo(function ProseRow({ sessionId, item }: ProseRowProps): ReactNode {
  const text = useSession(sessionId, ({ live }) => (item ? '' : (live?.text ?? '')), '')
  const thinking = useSession(sessionId, ({ live }) => (item ? '' : (live?.thinking ?? '')), '')
  if (item) return <ProseEntry text={item.text} thinking={item.thinking} complete={item.complete} live={false} />
  if (text === '' && thinking === '') return null
  return <ProseEntry text={text} thinking={thinking} complete live />
})
