import { Files, PanelLeft, Plus, Search, Settings2 } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { useStore } from 'zustand'
import { chooseFolder } from '../../state/commands/actions.ts'
import { findFile } from '../../state/commands/files/file-actions.ts'
import { report } from '../../state/commands/attempt-request.ts'
import { fold } from '../../state/commands/palette-commands.ts'
import { useDesk, useView } from '../../state/desk-context.ts'
import { attentionOf } from '../../state/views/session-needs.ts'
import { Button } from '../../ui/controls/button.tsx'
import { counted } from '../../ui/format.ts'
import { Dot } from '../../ui/marks/dot.tsx'
import styles from './sessions.module.css'

/** The sessions in a narrow window: a button with the number of sessions that need the user, and a dot if other sessions have finished. */
export function SessionsRail(): ReactNode {
  const desk = useDesk()
  const known = useView(({ seen, dismissed }) => ({ seen, dismissed }))
  const arranged = useStore(desk.list, (list) => list.arranged)
  const isOpen = useView(({ sessionId }) => sessionId !== null)
  const { needs, unread } = useMemo(() => attentionOf(arranged.values(), known), [arranged, known])
  return (
    <>
      <span className={styles.badged}>
        <Button
          variant="quiet"
          only
          icon={PanelLeft}
          label={railLabel(needs.length, unread.length)}
          keys="Mod+B"
          onPress={() => fold(desk, 'sessions')}
        />
        {needs.length > 0 && (
          <span className={styles.badge} aria-hidden="true">
            {needs.length}
          </span>
        )}
        {needs.length === 0 && unread.length > 0 && <Dot state="unread" silent className={styles.finished} />}
      </span>
      <Button variant="quiet" only icon={Plus} label="Open a folder" keys="Mod+O" onPress={() => void report(desk, chooseFolder(desk))} />
      <Button
        variant="quiet"
        only
        icon={Files}
        label="Files"
        keys="Mod+P"
        disabledReason={isOpen ? null : 'Open a folder first'}
        onPress={() => findFile(desk)}
      />
      <Button
        variant="quiet"
        only
        icon={Search}
        label="Search all sessions"
        keys="Mod+Shift+F"
        onPress={() => desk.view.setState({ page: 'history', sought: '' })}
      />
      <span className={styles.gap} />
      <Button
        variant="quiet"
        only
        icon={Settings2}
        label="Settings"
        keys="Mod+,"
        onPress={() => desk.view.setState({ page: 'settings' })}
      />
    </>
  )
}

function railLabel(needs: number, unread: number): string {
  return ['Sessions', needs > 0 && counted(needs, 'needs you', 'need you'), unread > 0 && counted(unread, 'finished', 'finished')]
    .filter((part) => part !== false)
    .join(', ')
}
