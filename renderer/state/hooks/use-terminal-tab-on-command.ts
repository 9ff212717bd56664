import { useEffect, useRef } from 'react'
import type { SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import type { CallItem, SessionState } from '../../../shared/session/state.ts'
import { runsCommand } from '../../../shared/tools/catalogue.ts'
import type { Desk } from '../desk.ts'
import { useDesk, useSession } from '../desk-context.ts'
import { commandKey } from '../stores/command-terminals.ts'

/**
 * Selects the Terminal tab when a command starts, unless the user chose a tab during this turn or has the focus in the inspector. This
 * neither moves the focus nor opens the pane. When the turn ends, a caret in the terminal of a finished command returns to the composer.
 */
export function useTerminalTabOnCommand(sessionId: SessionId): void {
  const desk = useDesk()
  const isBusy = useSession<boolean | null>(sessionId, isUnderWay, null)
  const running = useSession<ToolCallId | null | undefined>(sessionId, runningCommand, undefined)
  const before = useRef<{ readonly isBusy: boolean | null; readonly running: ToolCallId | null | undefined }>({
    isBusy: null,
    running: undefined,
  })
  useEffect(() => {
    const last = before.current
    before.current = { isBusy, running }
    // When a new turn begins, the tab that the user chose is forgotten. A turn that was already running when the session was opened is not
    // new.
    if (last.isBusy === false && isBusy) desk.view.setState({ tabChosen: false })
    if (last.isBusy === true && isBusy === false && isInEndedTerminal(desk, sessionId)) desk.terminalReturn.toComposer()
    const begins = last.running !== undefined && running !== undefined && running !== null && running !== last.running
    if (!begins || desk.view.getState().tabChosen || document.activeElement?.closest('[data-pane=inspector]')) return
    desk.view.setState({ tab: 'terminal', terminalOf: null })
  }, [desk, sessionId, isBusy, running])
}

function isUnderWay({ run }: SessionState): boolean {
  return run === 'PROCESSING' || run === 'AWAITING_INPUT'
}

function isInEndedTerminal(desk: Desk, sessionId: SessionId): boolean {
  const block = document.activeElement?.matches('.xterm *') ? document.activeElement.closest<HTMLElement>('[data-call]') : null
  const call = block?.dataset['call']
  return call !== undefined && desk.commandTerminals.getState().commands.get(commandKey(sessionId, call as ToolCallId))?.runs !== true
}

function runningCommand({ items }: SessionState): ToolCallId | null {
  const call = items.findLast((item): item is CallItem => item.kind === 'call' && runsCommand(item) && item.status === 'running')
  return call?.toolCallId ?? null
}
