import type { Trouble } from './events.ts'
import type { HookRun } from './hooks.ts'

/** The entry of a hook in the ledger. Null: it let things pass and said nothing. */
export function hookNotice({ event, command, source, durationMs, outcome, says, updatedInput }: HookRun): Trouble | null {
  if (outcome === 'passed' && says === '' && updatedInput === undefined) return null
  const did = updatedInput === undefined ? WORDS[outcome] : `${WORDS[outcome]} and changed the arguments`
  return {
    code: 'hook_ran',
    what: `The ${event} hook “${command}” ${did}${says === '' ? '.' : `: ${says}`}`,
    kept: outcome === 'failed' ? 'Everything: a hook that fails before a step makes the step wait for your signature.' : 'Everything.',
    todo: `It took ${durationMs} ms and comes from ${source}. Settings, Hooks lists all of them.`,
  }
}

const WORDS = { passed: 'ran', allowed: 'allowed this', asked: 'asks you to decide', blocked: 'blocked this', failed: 'failed' } as const
