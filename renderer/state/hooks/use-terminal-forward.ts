import { useEffect, useRef } from 'react'
import type { SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import type { CallItem, SessionState } from '../../../shared/session/state.ts'
import { runsCommand } from '../../../shared/tools/catalogue.ts'
import type { Desk } from '../desk.ts'
import { useDesk, useSession } from '../desk-context.ts'
import { commandKey } from '../stores/standing-store.ts'

/**
 * When a command begins to run, its terminal comes forward in the inspector, unless the person has chosen a tab during this turn or is at
 * work in it. It takes no focus and opens no pane. When the turn ends, a caret in the terminal of a command that has ended goes back to the
 * composer.
 */
export function useTerminalForward(sessionId: SessionId): void {
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
    // what was so already when this session came on screen has not begun now
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
  return call !== undefined && desk.standing.getState().commands.get(commandKey(sessionId, call as ToolCallId))?.runs !== true
}

function runningCommand({ items }: SessionState): ToolCallId | null {
  const call = items.findLast((item): item is CallItem => item.kind === 'call' && runsCommand(item) && item.status === 'running')
  return call?.toolCallId ?? null
}
