import { type ReactNode, useState } from 'react'
import type { BlobHash } from '../../../../shared/lib/ids.ts'
import { messageAsTyped } from '../../../../shared/session/person-message.ts'
import { messageParts } from '../../../state/stores/drafts/pasted-texts.ts'
import type { Picture } from '../../../../shared/session/content.ts'
import type { UserItem } from '../../../../shared/session/state.ts'
import { showPicture } from '../../../state/commands/actions.ts'
import { useDesk, useSession } from '../../../state/desk-context.ts'
import { usePictureUrls } from '../../../state/hooks/use-picture-urls.ts'
import type { PointerPlace } from '../../../ui/controls/pointer-menu.tsx'
import { pictureFacts } from '../../../ui/format.ts'
import { EntryRow } from '../../../ui/ledger/entry-row.tsx'
import { PictureRow } from '../../../ui/ledger/picture-row.tsx'
import { VisuallyHidden } from '../../../ui/notices/screen-reader.tsx'
import { MessageMenu } from './message-menu.tsx'
import { PastedText } from './pasted-text.tsx'
import { useLedgerSession } from '../ledger-session.ts'
import styles from '../ledger.module.css'
import { FoldButton } from '../calls/fold-button.tsx'
import { SubagentTask } from '../calls/subagent-task.tsx'
import { ForeignText } from '../../../ui/text/exact-text.tsx'

/**
 * The user's message is the heading of its turn. A steering message is a line within the turn. In a subagent's ledger, the task comes from
 * the parent agent, so it does not have the color of the user's messages.
 */
export function UserEntry({ item }: { readonly item: UserItem }): ReactNode {
  const parent = useSession(useLedgerSession(), (session) => session.parent, null)
  const { typed, texts } = messageParts(messageAsTyped(item))
  const none = <span className="soft">{texts.length > 0 ? 'Pasted text only' : 'Pictures only'}</span>
  const words = typed === '' ? none : <ForeignText text={typed} />
  const added = (
    <>
      {texts.map((text, at) => (
        <PastedText key={at} number={at + 1} text={text} />
      ))}
      {item.command !== undefined && <CommandText text={item.text} />}
      {item.pictures !== undefined && <Given pictures={item.pictures} />}
    </>
  )
  const renderMenu = (at: PointerPlace): ReactNode => <MessageMenu item={item} at={at} />
  if (item.delivery === 'steer')
    return (
      <EntryRow
        shape="steered"
        mark="you"
        at={item.at}
        line={<p>{words}</p>}
        effect="steered"
        actions={parent === null && <MessageMenu item={item} />}
        renderMenu={parent === null ? renderMenu : undefined}
      >
        {added}
      </EntryRow>
    )
  if (parent === null)
    return (
      <EntryRow shape="turn" mark="you" at={item.at} line={<h2>{words}</h2>} actions={<MessageMenu item={item} />} renderMenu={renderMenu}>
        {added}
      </EntryRow>
    )
  return (
    <EntryRow shape="prose" mark="proposed" markWord="From the parent agent" at={item.at}>
      <h2>
        <VisuallyHidden>Task from the parent agent</VisuallyHidden>
      </h2>
      <SubagentTask item={item} parent={parent} />
    </EntryRow>
  )
}

/**
 * The text that the agent got for a slash command. It is folded at first, because the user wrote or chose the command and so knows what it
 * is about.
 */
function CommandText({ text }: { readonly text: string }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <FoldButton open={isOpen} what="the text of this command" onPress={() => setOpen(!isOpen)} />
      {isOpen && (
        <p className={`note ${styles.lines}`}>
          <ForeignText text={text} />
        </p>
      )}
    </>
  )
}

/** The pictures of a message. */
function Given({ pictures }: { readonly pictures: readonly Picture[] }): ReactNode {
  const desk = useDesk()
  const sessionId = useLedgerSession()
  const urls = usePictureUrls(
    sessionId,
    pictures.map(({ hash }) => ({ kind: 'given', hash })),
  )
  return (
    <PictureRow
      label="Pictures in this message"
      pictures={pictures.map((picture) => ({ id: picture.hash, facts: pictureFacts(picture), url: urls.get(picture.hash) }))}
      onOpen={(hash) => showPicture(desk, sessionId, { kind: 'given', hash: hash as BlobHash })}
    />
  )
}
