import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import { useDesk } from '../../state/desk-context.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ErrorNotice } from '../../ui/notices/error-notice.tsx'
import styles from './work.module.css'

/** What came of something asked for from a key or button, when it could not be done. It stays until it is put away. */
export function NoticeBar(): ReactNode {
  const desk = useDesk()
  const trouble = useStore(desk.notice, (notice) => notice.trouble)
  if (!trouble) return null
  return (
    <div className={styles.notice} role="alert">
      <ErrorNotice
        framed
        happened={trouble.what}
        kept={trouble.kept}
        todo={trouble.todo}
        actions={
          <Button small className="push" onPress={() => desk.notice.setState({ trouble: null })}>
            Put away
          </Button>
        }
      />
    </div>
  )
}
