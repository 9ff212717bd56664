import type { ReactNode } from 'react'
import { verbOf } from '../../../shared/tools/catalogue.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { LiveAnswer } from '../../../shared/session/state.ts'
import { useSession } from '../../state/desk-context.ts'
import { counting, shortCount } from '../../ui/format.ts'
import { useElapsed } from '../../ui/hooks/use-elapsed.ts'
import { EntryRow } from '../../ui/ledger/entry-row.tsx'
import { Dot } from '../../ui/marks/dot.tsx'
import { ProseEntry } from './prose-entry.tsx'

/** The answer as it comes, and what is waited for. Alone it changes with every word; the entries above do not. */
export function LiveEntry({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const live = useSession<LiveAnswer | null>(sessionId, (session) => session.live, null)
  if (!live) return null
  return (
    <>
      {(live.text !== '' || live.thinking !== '') && <ProseEntry text={live.text} thinking={live.thinking} complete live />}
      <WaitLine live={live} />
    </>
  )
}

function WaitLine({ live }: { readonly live: LiveAnswer }): ReactNode {
  if (live.call !== null) {
    const words = `Writing ${verbOf(live.call.toolName).toLowerCase()}, ${shortCount(live.call.chars)} characters`
    return <Waiting words={words} since={live.sinceMs} until={null} />
  }
  const { waitingFor } = live
  return waitingFor && <Waiting words={`Waiting for ${waitingFor.what}`} since={waitingFor.sinceMs} until={waitingFor.untilMs} />
}

interface WaitingProps {
  readonly words: string
  /** Both in ms since 1970. */
  readonly since: number
  readonly until: number | null
}

function Waiting({ words, since, until }: WaitingProps): ReactNode {
  const elapsed = useElapsed(since)
  return (
    <EntryRow
      mark="note"
      atWord="now"
      line={<span className="soft clip">{words}</span>}
      effect={
        <>
          <Dot state="running" silent />
          <span className="num">
            {counting(elapsed)}
            {until !== null && ` of ${counting(until - since)}`}
          </span>
        </>
      }
    />
  )
}
