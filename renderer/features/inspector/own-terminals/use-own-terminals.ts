import { useMemo } from 'react'
import { useStore } from 'zustand'
import type { OwnTerminal } from '../../../../shared/api/terminals.ts'
import type { SessionId, ToolCallId } from '../../../../shared/lib/ids.ts'
import { useDesk, useView } from '../../../state/desk-context.ts'

export interface SessionTerminals {
  /** The user's own terminals of the session, oldest first. */
  readonly own: readonly OwnTerminal[]
  /** The terminals that the Terminal tab shows, from top to bottom. */
  readonly shown: readonly OwnTerminal[]
}

const NONE: readonly ToolCallId[] = []

export function useOwnTerminals(sessionId: SessionId): SessionTerminals {
  const all = useStore(useDesk().ownTerminals, (terminals) => terminals.all)
  const asked = useView(({ ownShown }) => ownShown[sessionId] ?? NONE)
  return useMemo(() => {
    const own = all.filter((one) => one.sessionId === sessionId)
    return { own, shown: asked.flatMap((id) => own.find(({ toolCallId }) => toolCallId === id) ?? []) }
  }, [all, asked, sessionId])
}
