import type { SessionSummary } from '../../shared/api/sessions.ts'
import type { SessionId } from '../../shared/lib/ids.ts'

export const sessionIdOf = (name: string): SessionId => `ses_${name}` as SessionId

/** A session as lists show it: idle, and ended as usual. */
export const sessionSummary = (name: string, more: Partial<SessionSummary> = {}): SessionSummary => ({
  sessionId: sessionIdOf(name),
  title: name,
  folder: '/code',
  config: { provider: 'anthropic', model: 'm', mode: 'ask', effort: null, baseUrl: null },
  parent: null,
  run: 'IDLE',
  ended: 'completed',
  need: null,
  turnEnd: 0,
  failedCommand: null,
  asks: false,
  steps: 0,
  spent: null,
  startedAt: 0,
  updatedAt: 0,
  cursor: 0,
  running: false,
  ...more,
})
