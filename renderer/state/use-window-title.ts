import { useEffect } from 'react'
import { useStore } from 'zustand'
import { useDesk, useView } from './desk-context.ts'
import { sessionsInNeed } from './needs.ts'

/** The window's title: how many sessions need their person, then what is on screen. Seen in task bars while the window is not. */
export function useWindowTitle(): void {
  const desk = useDesk()
  const { sessionId, settled } = useView((view) => ({ sessionId: view.sessionId, settled: view.settled }))
  const title = useStore(desk.list, ({ sessions }) => {
    const needs = sessionsInNeed(sessions.values(), settled).length
    const shown = sessionId && sessions.get(sessionId)?.title
    return `${needs > 0 ? `(${needs}) ` : ''}${shown ? `${shown} – ` : ''}Countersign`
  })
  useEffect(() => {
    document.title = title
  }, [title])
}
