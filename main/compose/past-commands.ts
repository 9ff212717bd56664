import type { PastCommand } from '../approval/rules/back-test.ts'
import { wantedHost } from '../../shared/session/effects.ts'
import type { Store } from '../store/store.ts'

/** Sessions that are looked through, newest first. */
const MAX_SESSIONS = 50

/** The newest commands of all sessions that ran, in a copy or for real, or were asked for, newest first. Lets other work run between batches of events. */
export async function pastCommands(store: Store, most: number): Promise<readonly PastCommand[]> {
  const found: PastCommand[] = []
  for (const { sessionId, folder } of (await store.sessions.listInSlices()).slice(0, MAX_SESSIONS)) {
    if (found.length >= most) break
    const commands = new Map<string, PastCommand>()
    const hosts = new Set<string>()
    for (const batch of store.eventsAfter(sessionId, 0)) {
      for (const { event } of batch) {
        // A request for a host is not one for the command.
        if (event.kind === 'APPROVAL_REQUESTED' && wantedHost(event.effects)) hosts.add(event.approvalId)
        else if (event.kind === 'APPROVAL_REQUESTED' || event.kind === 'TOOL_EXECUTION_START' || event.kind === 'COPY_ENDED') {
          const effect = event.effects.find((each) => each.kind === 'command')
          const changes = event.effects.filter((each) => 'path' in each)
          if (effect) commands.set(event.toolCallId, { effect, folder, refused: false, changes })
        } else if (event.kind === 'APPROVAL_ANSWERED' && event.answer.kind === 'refused' && !hosts.has(event.approvalId)) {
          const asked = commands.get(event.toolCallId)
          if (asked) commands.set(event.toolCallId, { ...asked, refused: true })
        }
      }
      await new Promise<void>((done) => void setImmediate(done))
    }
    found.push(...[...commands.values()].toReversed())
  }
  return found.slice(0, most)
}
