import type { Answering, Trouble } from '../events.ts'

/** Code of the entry for a change of model, provider or effort. */
export const CONFIGURED = 'configured'

/** What changed, as an entry of the ledger. */
export function modelChangeNotice(before: Answering, now: Answering & { readonly forTurn?: { readonly command: string } }): Trouble {
  const command = now.forTurn?.command
  const changes = [
    change('provider', before.provider, now.provider),
    change('model', before.model, now.model),
    change('effort', before.effort ?? 'default', now.effort ?? 'default'),
  ].filter((words) => words !== null)
  return {
    code: CONFIGURED,
    what: `${command === undefined ? 'Changed' : `Changed for this turn by /${command}:`} ${changes.join(', ')}.`,
    kept: 'The whole conversation.',
    todo: 'Nothing.',
  }
}

function change(name: string, before: string, now: string): string | null {
  return before === now ? null : `${name} ${before || 'none'} \u2192 ${now || 'none'}`
}
