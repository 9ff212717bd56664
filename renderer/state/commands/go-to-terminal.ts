import { beganAt } from '../../../shared/session/fold/run-state.ts'
import type { SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { showCommand, showTab } from './actions.ts'
import { catchTyping } from './catch-typing.ts'
import type { Desk } from '../desk.ts'
import { openOwnTerminal, ownKeyboard, showOwnTerminals } from './own-terminals.ts'
import { focusWhenThere } from './focus-when-there.ts'
import { commandKey } from '../stores/terminals/command-terminals.ts'
import { runsCommand } from '../../../shared/tools/catalogue.ts'

/**
 * Moves the caret into a terminal. The first of these that exists is used: the user's own terminal that the Terminal tab shows, the
 * terminal of the running command, the user's newest own terminal, a new one. If the caret is already in a terminal, moves it back to
 * where it was before, and closes the drawer.
 */
export function goToTerminal(desk: Desk): void {
  const { sessionId, inspector } = desk.view.getState()
  if (sessionId === null) return
  if (document.activeElement?.matches('.xterm *, [data-pane=inspector]')) {
    desk.terminalReturn.goBack()
    if (inspector.drawn) desk.view.setState({ inspector: { ...inspector, drawn: false } })
    return
  }
  const shown = shownOwnTerminal(desk, sessionId)
  const call = shown === null ? runningCommand(desk, sessionId) : null
  const own = shown ?? (call === null ? newestOwnTerminal(desk, sessionId) : null)
  if (call !== null) {
    desk.terminalReturn.mark()
    showTab(desk, 'terminal', call)
    focusWhenThere(keyboardOf(call))
  } else if (own !== null) {
    desk.terminalReturn.mark()
    if (own === shown) showTab(desk, 'terminal')
    else showOwnTerminals(desk, sessionId, [own])
    focusWhenThere(ownKeyboard(own))
  } else openOwnTerminal(desk, sessionId, { isInFolder: false })
}

/**
 * Moves the caret into the terminal of a command that waits for input. Text typed before the terminal is ready also goes to the command.
 */
export function answerCommand(desk: Desk, sessionId: SessionId, toolCallId: ToolCallId): void {
  desk.terminalReturn.mark()
  showCommand(desk, sessionId, toolCallId)
  const keyboard = keyboardOf(toolCallId)
  catchTyping({
    field: () => document.querySelector<HTMLElement>(keyboard),
    give: (data) => void desk.connection.client?.terminals.write({ sessionId, toolCallId, data }).catch(() => {}),
    enter: '\r',
  })
  focusWhenThere(keyboard)
}

function shownOwnTerminal(desk: Desk, sessionId: SessionId): ToolCallId | null {
  const shown = desk.view.getState().ownShown[sessionId] ?? []
  const { all } = desk.ownTerminals.getState()
  return shown.find((id) => all.some(({ toolCallId }) => toolCallId === id)) ?? null
}

const keyboardOf = (toolCallId: ToolCallId): string => `#${CSS.escape(`command-${toolCallId}`)} textarea`

const newestOwnTerminal = (desk: Desk, sessionId: SessionId): ToolCallId | null =>
  desk.ownTerminals.getState().all.findLast((one) => one.sessionId === sessionId)?.toolCallId ?? null

function runningCommand(desk: Desk, sessionId: SessionId): ToolCallId | null {
  const items = desk.session(sessionId).store.getState().session?.items ?? []
  const ran = items.filter((item): item is CallItem => item.kind === 'call' && runsCommand(item) && beganAt(item) !== null)
  const { commands } = desk.commandTerminals.getState()
  const terminalOf = (call: CallItem) => commands.get(commandKey(sessionId, call.toolCallId))
  const found =
    ran.findLast((call) => terminalOf(call)?.waitsForInput) ??
    ran.findLast(({ status }) => status === 'running') ??
    ran.findLast((call) => terminalOf(call)?.runs)
  return found?.toolCallId ?? null
}
