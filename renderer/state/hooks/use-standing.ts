import { useStore } from 'zustand'
import type { TerminalStanding } from '../../../shared/api/terminals.ts'
import type { SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import { useDesk } from '../desk-context.ts'
import { commandKey } from '../stores/standing-store.ts'

/** How a command stands; null: main has no terminal of it (any more). */
export function useStanding(sessionId: SessionId, toolCallId: ToolCallId): TerminalStanding | null {
  return useStore(useDesk().standing, ({ commands }) => commands.get(commandKey(sessionId, toolCallId)) ?? null)
}
