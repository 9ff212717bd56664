import type { PastCommand } from '../approval/rules/back-test.ts'
import type { Store } from '../store/store.ts'

/** Sessions that are looked through, newest first. */
const MOST_SESSIONS = 50

/** The newest commands of all sessions that ran or were asked for, newest first. Lets other work run between batches of events. */
export async function pastCommands(store: Store, most: number): Promise<readonly PastCommand[]> {
  const found: PastCommand[] = []
  for (const { sessionId, folder } of (await store.sessions.listInSlices()).slice(0, MOST_SESSIONS)) {
    if (found.length >= most) break
    const commands = new Map<string, PastCommand>()
    for (const batch of store.eventsAfter(sessionId, 0)) {
      for (const { event } of batch) {
        if (event.kind === 'APPROVAL_REQUESTED' || event.kind === 'TOOL_EXECUTION_START') {
          const effect = event.effects.find((each) => each.kind === 'command')
          if (effect) commands.set(event.toolCallId, { effect, folder, refused: false })
        } else if (event.kind === 'APPROVAL_ANSWERED' && event.answer.kind === 'refused') {
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
