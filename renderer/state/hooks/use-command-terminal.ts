import { useStore } from 'zustand'
import type { TerminalStatus } from '../../../shared/api/terminals.ts'
import type { SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import { useDesk } from '../desk-context.ts'
import { commandKey } from '../stores/terminals/command-terminals.ts'
import type { CallItem } from '../../../shared/session/state.ts'

/** The state of a command. Null if main has no terminal for it. */
export function useCommandTerminal(sessionId: SessionId, toolCallId: ToolCallId): TerminalStatus | null {
  return useStore(useDesk().commandTerminals, ({ commands }) => commands.get(commandKey(sessionId, toolCallId)) ?? null)
}

/** Whether the command of this step kept running after Countersign was killed. */
export function useIsLeft({ effects }: CallItem): boolean {
  const command = effects.find((effect) => effect.kind === 'command')
  return useStore(useDesk().left, ({ offered }) => offered.some((left) => left.command === command?.command && left.folder === command.cwd))
}
