import { type ReactNode, useMemo } from 'react'
import type { BackTest, RuleDraft } from '../../../../shared/api/rules.ts'
import { backTestWords, useBackTest } from '../../../state/hooks/use-back-test.ts'
import { counted } from '../../../ui/format.ts'

/** Maximum number of listed commands. */
const SHOWN = 5

/** A sentence about what a rule would have changed in past sessions, and the commands that the rule would have affected. */
export function RuleBackTest({ rule, test }: { readonly rule: RuleDraft; readonly test: BackTest }): ReactNode {
  const more = test.fits.length - SHOWN
  return (
    <>
      <p>{backTestWords(rule, test)}</p>
      {test.fits.length > 0 && (
        <ul>
          {test.fits.slice(0, SHOWN).map(({ command, times, refused }) => (
            <li key={command}>
              <code className="strong">{command}</code>{' '}
              <span className="soft">{refused > 0 ? `${counted(times, 'time')}, you refused ${refused}` : counted(times, 'time')}</span>
            </li>
          ))}
          {more > 0 && <li className="soft">{counted(more, 'more command', 'more commands')}</li>}
        </ul>
      )}
    </>
  )
}

/** The test of a saved rule. It runs when it is shown. */
export function SavedRuleBackTest({ rule }: { readonly rule: RuleDraft }): ReactNode {
  const test = useBackTest(useMemo(() => [rule], [rule]))
  return test ? <RuleBackTest rule={rule} test={test} /> : <p className="soft">Trying it on your history …</p>
}
