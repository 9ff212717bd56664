import { useMemo } from 'react'
import type { SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import { titleOfRequest } from '../../../shared/session/session-title.ts'
import type { CallItem, Item } from '../../../shared/session/state.ts'
import { useSession } from '../../state/desk-context.ts'

const NONE: readonly CallItem[] = []

/** What each subagent was sent for, in a few words, by the step that sent it; of the entries at hand. */
export function useTasks(sessionId: SessionId): ReadonlyMap<ToolCallId, string> {
  const calls = useSession(sessionId, ({ items }) => items.filter(sends), NONE)
  return useMemo(() => new Map(calls.map((call) => [call.toolCallId, taskLine(call)])), [calls])
}

function sends(item: Item): item is CallItem {
  return item.kind === 'call' && (item.toolName === 'task' || item.toolName === 'spawn_agent')
}

function taskLine({ args }: CallItem): string {
  const written = [args?.['description'], args?.['prompt'], args?.['task']].find((one) => typeof one === 'string')
  return typeof written === 'string' ? titleOfRequest({ text: written }) : ''
}
