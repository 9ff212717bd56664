import { useEffect, useRef } from 'react'
import type { SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import type { SessionState } from '../../../shared/session/state.ts'
import type { Desk } from '../desk.ts'
import { useDesk, useSession } from '../desk-context.ts'
import { commandKey } from '../stores/terminals/command-terminals.ts'

/** When the turn ends, a caret in the terminal of a finished command returns to the composer. */
export function useComposerAfterTerminal(sessionId: SessionId): void {
  const desk = useDesk()
  const isBusy = useSession<boolean | null>(sessionId, isUnderWay, null)
  const wasBusy = useRef<boolean | null>(null)
  useEffect(() => {
    const hasEnded = wasBusy.current === true && isBusy === false
    wasBusy.current = isBusy
    if (hasEnded && isInEndedTerminal(desk, sessionId)) desk.terminalReturn.toComposer()
  }, [desk, sessionId, isBusy])
}

function isUnderWay({ run }: SessionState): boolean {
  return run === 'PROCESSING' || run === 'AWAITING_INPUT'
}

function isInEndedTerminal(desk: Desk, sessionId: SessionId): boolean {
  const block = document.activeElement?.matches('.xterm *') ? document.activeElement.closest<HTMLElement>('[data-call]') : null
  const call = block?.dataset['call']
  return call !== undefined && desk.commandTerminals.getState().commands.get(commandKey(sessionId, call as ToolCallId))?.runs !== true
}
