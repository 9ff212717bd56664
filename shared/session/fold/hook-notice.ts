import type { Trouble } from '../events.ts'
import type { HookRun } from '../hooks.ts'

/** `code` of such an entry; its `kept` is the command, its file and how long it took. */
export const HOOK_NOTICE = 'hook_ran'

/** The entry of a hook in the ledger. Null: it let things pass and said nothing. */
export function hookNotice({ event, command, source, durationMs, outcome, says, updatedInput }: HookRun): Trouble | null {
  if (outcome === 'passed' && says === '' && updatedInput === undefined) return null
  const did = updatedInput === undefined ? WORDS[outcome] : `${WORDS[outcome]} and changed the arguments`
  return {
    code: HOOK_NOTICE,
    what: `${event} hook ${did}${says === '' ? '.' : `: ${says}`}`,
    kept: `${command} (${source}, ${durationMs} ms)`,
    todo: 'Settings, Hooks lists all hooks.',
  }
}

const WORDS = { passed: 'ran', allowed: 'allowed this', asked: 'asks you to decide', blocked: 'blocked this', failed: 'failed' } as const
