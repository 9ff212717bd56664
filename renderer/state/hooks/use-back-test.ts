import type { AppClient } from '../../../shared/api/contract.ts'
import type { BackTest, RuleDraft } from '../../../shared/api/rules.ts'
import { counted } from '../../ui/format.ts'
import { useAnswer } from '../use-answer.ts'

/** What these rules together would have changed in the user's own history. Null without rules, and until they have been tested. */
export function useBackTest(rules: readonly RuleDraft[]): BackTest | null {
  const ask = (client: AppClient): Promise<BackTest> =>
    client.rules.backTest({ rules: [...rules] }).catch((error: unknown) => ({ commands: 0, fits: [], unreadable: notTried(error) }))
  return useAnswer(rules, rules.length === 0 ? null : ask).value
}

const notTried = (error: unknown): NonNullable<BackTest['unreadable']> => ({
  code: 'rule_not_tried',
  what: error instanceof Error ? error.message : String(error),
  kept: 'Your rules and your history are unchanged.',
  todo: 'Try it again.',
})

/** Describes the test in words. If an `allow` rule would have allowed commands that the user refused, says so first. */
export function backTestWords({ answer }: RuleDraft, { commands, fits, unreadable }: BackTest): string {
  if (unreadable) return `The rule was not tried: ${unreadable.what} ${unreadable.todo}`
  if (commands === 0) return 'No command has run yet, so there is nothing to try the rule on.'
  const count = fits.reduce((sum, { times }) => sum + times, 0)
  const refused = fits.reduce((sum, each) => sum + each.refused, 0)
  const would = { allow: 'Would have allowed', ask: 'Would have asked for', deny: 'Would have refused' }[answer]
  const wrong = answer === 'allow' && refused > 0 ? `You refused ${refused} of the commands that it would have allowed. ` : ''
  return `${wrong}${would} ${count} of your last ${counted(commands, 'command')}${answer === 'allow' && refused === 0 ? ', and none that you refused' : ''}.`
}
