import { useEffect, useRef } from 'react'
import type { SessionId, ToolCallId } from '../../shared/lib/ids.ts'
import type { CallItem, SessionState } from '../../shared/session/state.ts'
import { runsCommand } from '../ui/ledger/call-details.ts'
import { useDesk, useSession } from './desk-context.ts'

/**
 * When a command begins to run, its terminal comes forward in the inspector, unless the person has chosen a tab during this turn or is at
 * work in it. It takes no focus and opens no pane.
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
    const begins = last.running !== undefined && running !== undefined && running !== null && running !== last.running
    if (!begins || desk.view.getState().tabChosen || document.activeElement?.closest('[data-pane=inspector]')) return
    desk.view.setState({ tab: 'terminal', terminalOf: null })
  }, [desk, isBusy, running])
}

function isUnderWay({ run }: SessionState): boolean {
  return run === 'PROCESSING' || run === 'AWAITING_INPUT'
}

function runningCommand({ items }: SessionState): ToolCallId | null {
  const call = items.findLast((item): item is CallItem => item.kind === 'call' && runsCommand(item) && item.status === 'running')
  return call?.toolCallId ?? null
}
