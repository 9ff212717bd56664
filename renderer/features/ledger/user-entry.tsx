import type { ReactNode } from 'react'
import type { BlobHash } from '../../../shared/lib/ids.ts'
import type { Picture } from '../../../shared/session/picture.ts'
import type { UserItem } from '../../../shared/session/state.ts'
import { showPicture } from '../../state/actions.ts'
import { useDesk, useSession } from '../../state/desk-context.ts'
import { usePictureUrls } from '../../state/use-picture-urls.ts'
import { pictureFacts } from '../../ui/format.ts'
import { EntryRow } from '../../ui/ledger/entry-row.tsx'
import { PictureRow } from '../../ui/ledger/picture-row.tsx'
import { useLedgerSession } from './ledger-session.ts'
import styles from './ledger.module.css'
import { LentTask } from './lent-task.tsx'

/**
 * The person's words, the heading of their turn. In a subagent's ledger the task is the words of the agent that sent it, and not in ink: only
 * who steers is the person for sure.
 */
export function UserEntry({ item }: { readonly item: UserItem }): ReactNode {
  const parent = useSession(useLedgerSession(), (session) => session.parent, null)
  if (parent === null || item.delivery === 'steer')
    return (
      <EntryRow
        shape="turn"
        mark="you"
        at={item.at}
        line={<p>{item.text === '' ? <span className="soft">Said with pictures alone</span> : item.text}</p>}
        // it stands where the agent got it, in the middle of a turn
        effect={item.delivery === 'steer' ? 'steered' : undefined}
        className={styles.turn}
      >
        {item.pictures !== undefined && <Given pictures={item.pictures} />}
      </EntryRow>
    )
  return (
    <EntryRow shape="prose" mark="proposed" markWord="Said by the agent that sent this one" at={item.at} className={styles.prose}>
      <LentTask item={item} parent={parent} />
    </EntryRow>
  )
}

/** The pictures that came with the words. */
function Given({ pictures }: { readonly pictures: readonly Picture[] }): ReactNode {
  const desk = useDesk()
  const sessionId = useLedgerSession()
  const urls = usePictureUrls(sessionId, pictures)
  return (
    <PictureRow
      label="Pictures of this message"
      pictures={pictures.map((picture) => ({ id: picture.hash, facts: pictureFacts(picture), url: urls.get(picture.hash) }))}
      onOpen={(hash) => showPicture(desk, sessionId, hash as BlobHash)}
    />
  )
}
