import { X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useStore } from 'zustand'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { useDesk } from '../../state/desk-context.ts'
import { linesIn } from '../../state/stores/drafts/draft-texts.ts'
import { Button } from '../../ui/controls/button.tsx'
import { byteSize, clipped, counted } from '../../ui/format.ts'
import styles from './composer.module.css'

/** The long texts that were pasted into the message. Each text can be opened, moved into the message field, or removed. */
export function PastedTexts({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const desk = useDesk()
  const texts = useStore(desk.draftTexts.store, (all) => all.get(sessionId)) ?? desk.draftTexts.get(sessionId)
  const [open, setOpen] = useState<number | null>(null)
  if (texts.length === 0) return null
  const remove = (at: number): void => {
    setOpen(null)
    desk.draftTexts.set(sessionId, texts.toSpliced(at, 1))
    document.querySelector<HTMLElement>('[data-composer-text]')?.focus()
  }
  const insert = (at: number): void => {
    const parts = [desk.drafts.get(sessionId), texts[at] ?? '']
    desk.drafts.set(sessionId, parts.filter((part) => part !== '').join('\n'))
    remove(at)
  }
  return (
    <ul className={styles.pastedTexts} aria-label="Pasted texts in this message">
      {texts.map((text, at) => (
        <li key={at}>
          <div className={styles.comment}>
            <span className={styles.commentPlace}>
              {counted(linesIn(text), 'line')}, {byteSize(new TextEncoder().encode(text).length)}
            </span>
            <span className={styles.commentWords}>{clipped(text.trim(), 200)}</span>
            <Button small variant="quiet" onPress={() => setOpen(open === at ? null : at)}>
              {open === at ? 'Fold' : 'Show'}
            </Button>
            <Button small variant="quiet" tip="Writes the text into the message field, where you can edit it" onPress={() => insert(at)}>
              Edit
            </Button>
            <Button only small variant="quiet" icon={X} label={`Remove pasted text ${at + 1}`} onPress={() => remove(at)} />
          </div>
          {open === at && (
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keys
            <pre className={styles.pasted} tabIndex={0} aria-label={`Pasted text ${at + 1}`} role="group">
              {text}
            </pre>
          )}
        </li>
      ))}
    </ul>
  )
}
