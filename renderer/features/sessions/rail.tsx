import { PanelLeft, Plus, Settings2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import { chooseFolder } from '../../state/actions.ts'
import { report } from '../../state/attempt.ts'
import { fold } from '../../state/commands.ts'
import { useDesk, useView } from '../../state/desk-context.ts'
import { sessionsInNeed } from '../../state/needs.ts'
import { Button } from '../../ui/controls/button.tsx'
import { counted } from '../../ui/format.ts'
import styles from './sessions.module.css'

/** What stays of the sessions when there is little room: the way to them, and how many need their person. */
export function SessionsRail(): ReactNode {
  const desk = useDesk()
  const settled = useView((view) => view.settled)
  const needs = useStore(desk.list, ({ sessions }) => sessionsInNeed(sessions.values(), settled).length)
  return (
    <>
      <span className={styles.badged}>
        <Button
          variant="quiet"
          only
          icon={PanelLeft}
          label={needs === 0 ? 'Sessions' : `Sessions, ${counted(needs, 'needs you', 'need you')}`}
          keys="Mod+B"
          onPress={() => fold(desk, 'sessions')}
        />
        {needs > 0 && (
          <span className={styles.badge} aria-hidden="true">
            {needs}
          </span>
        )}
      </span>
      <Button variant="quiet" only icon={Plus} label="Open a folder" keys="Mod+O" onPress={() => void report(desk, chooseFolder(desk))} />
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
