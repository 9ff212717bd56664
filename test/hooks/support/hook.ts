import type { Hook, HookEvent } from '../../../shared/session/hooks.ts'

/** Returns a hook of the user that runs this shell command. */
export const hook = (event: HookEvent, command: string, matcher = '', timeoutMs = 10_000): Hook => ({
  event,
  matcher,
  command,
  timeoutMs,
  source: '~/.claude/settings.json',
  from: 'person',
})
