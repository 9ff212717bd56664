import type { SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import { showSession, showTab } from './actions.ts'
import { attemptRequest, report, requestOrReport } from './attempt-request.ts'
import { catchTyping } from './catch-typing.ts'
import type { Desk } from '../desk.ts'
import { focusWhenThere } from './focus-when-there.ts'

/** Selector of the keyboard field of one of the user's own terminals. */
export const ownKeyboard = (toolCallId: ToolCallId): string => `#${CSS.escape(`own-${toolCallId}`)} textarea`

/** Shows these of the user's terminals in the Terminal tab, from top to bottom. If `shown` is empty, shows the agent's commands. */
export function showOwnTerminals(desk: Desk, sessionId: SessionId, shown: readonly ToolCallId[]): void {
  desk.view.setState(({ ownShown }) => ({ ownShown: { ...ownShown, [sessionId]: shown } }))
  showTab(desk, 'terminal')
}

export interface NewTerminal {
  /** Whether it works in the folder although the session works in a layer. */
  readonly isInFolder: boolean
  /** The new terminal is shown below this one. Null to show it alone. */
  readonly below?: ToolCallId | null
  /** What is typed at its prompt, without Enter. */
  readonly words?: string
}

/** Opens one of the user's own terminals, shows it and focuses it. Keys that are typed before it appears go to it. */
export function openOwnTerminal(desk: Desk, sessionId: SessionId, { isInFolder, below = null, words = '' }: NewTerminal): void {
  desk.terminalReturn.mark()
  let toolCallId: ToolCallId | null = null
  const opening = attemptRequest(desk, 'The terminal was not opened', async (client) => {
    const opened = await client.terminals.openOwn({ sessionId, words, isInFolder })
    if (!opened.ok) return opened
    toolCallId = opened.toolCallId
    showOwnTerminals(desk, sessionId, below === null ? [toolCallId] : [below, toolCallId])
    return opened
  })
  catchTyping({
    field: () => (toolCallId === null ? null : document.querySelector<HTMLElement>(ownKeyboard(toolCallId))),
    give: (data) => {
      if (toolCallId !== null) void desk.connection.client?.terminals.write({ sessionId, toolCallId, data }).catch(() => {})
    },
    enter: '\r',
    after: opening,
  })
  void report(desk, opening)
}

/** Ends the shell of a terminal, with everything that it started. */
export function closeOwnTerminal(desk: Desk, sessionId: SessionId, toolCallId: ToolCallId): void {
  void desk.connection.client?.terminals.end({ sessionId, toolCallId }).catch(() => {})
}

export function renameOwnTerminal(desk: Desk, sessionId: SessionId, toolCallId: ToolCallId, name: string): void {
  requestOrReport(desk, 'The terminal was not renamed', async (client) => {
    await client.terminals.rename({ sessionId, toolCallId, name })
    return { ok: true }
  })
}

/** Adds output of a terminal to the session's next message, and returns to the message. */
export function giveOutput(desk: Desk, sessionId: SessionId, name: string, output: string): void {
  if (output.trim() === '') return
  desk.draftTexts.set(sessionId, [...desk.draftTexts.get(sessionId), `Output of my terminal “${name}”:\n\n${output}`])
  showSession(desk, sessionId)
  focusWhenThere('[data-composer-text]')
}
