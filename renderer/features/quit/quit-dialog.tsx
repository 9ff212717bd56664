import { type ReactNode, useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import type { QuitAnswer, QuitQuestion } from '../../../shared/api/app.ts'
import { useDesk } from '../../state/desk-context.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Overlay } from '../../ui/frame/dialogs/overlay.tsx'
import { Dot } from '../../ui/marks/dot.tsx'
import { Facts } from '../../ui/notices/facts.tsx'
import styles from './quit-dialog.module.css'

/** Before the desktop app quits, asks what to do with running work. Shown above all other dialogs. */
export function QuitDialog(): ReactNode {
  const question = useStore(useDesk().quitting, (quitting) => quitting.question)
  return question && <OpenQuestion key={question.id} question={question} />
}

function OpenQuestion({ question: { id, work, wayBack } }: { readonly question: QuitQuestion }): ReactNode {
  const desk = useDesk()
  const keep = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    keep.current?.focus()
    // Without this message, main shows a system dialog instead.
    void desk.connection.client?.app.quitQuestionDrawn({ id }).catch(() => {})
  }, [desk, id])
  const answer = (given: QuitAnswer): void => void desk.connection.client?.app.answerQuit({ id, answer: given }).catch(() => {})
  return (
    <Overlay label="Quit Countersign" onClose={() => answer('cancel')} className={styles.dialog}>
      <h2 className={styles.title}>{titleOf(work)}</h2>
      <ul className={styles.work}>
        {work.map(({ title, what }, at) => (
          // Several commands of a session have the same words.
          <li key={`${title} ${what} ${at}`}>
            <Dot state="running" silent />
            <span className={styles.name}>{title}</span>
            <span className="soft">{what}</span>
          </li>
        ))}
      </ul>
      <div className={styles.facts}>
        <Facts
          facts={[
            { term: 'Keep running', fact: `The window closes. ${wayBack}` },
            {
              term: 'Stop and quit',
              fact: 'Commands end now, and the answer that is coming is dropped. Sessions, layers and drafts are kept, and each session can go on later.',
            },
          ]}
        />
      </div>
      <footer className={styles.foot}>
        <Button variant="quiet" keys="Esc" onPress={() => answer('cancel')}>
          Cancel
        </Button>
        <span className={styles.push} />
        <Button onPress={() => answer('stop')}>Stop and quit</Button>
        <Button ref={keep} variant="preferred" keys="Enter" onPress={() => answer('keep')}>
          Keep running
        </Button>
      </footer>
    </Overlay>
  )
}

function titleOf(work: QuitQuestion['work']): string {
  const sessions = new Set(work.map(({ title }) => title)).size
  return sessions === 1 ? 'One session is at work' : `${sessions} sessions are at work`
}
