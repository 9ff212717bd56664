import { isSubagentCall } from '../../../shared/tools/built-in/subagents.ts'
import { type ReactNode, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import type { RuleDraft } from '../../../shared/api/rules.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { isLayerWork, runsApart } from '../../../shared/session/effects.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { useDesk } from '../../state/desk-context.ts'
import { backTestWords, useBackTest } from '../../state/hooks/use-back-test.ts'
import { Segmented } from '../../ui/controls/segmented.tsx'
import { Select } from '../../ui/controls/select/select.tsx'
import { ExactText } from '../../ui/text/exact-text.tsx'
import { hasParts, ignoredPlaces, type NextChoice, nextRules } from '../../../shared/rules/next-time-rules.ts'
import styles from './tray.module.css'

/** What should happen the next time the same command is called. */
export interface NextTime {
  readonly chosen: NextChoice
  readonly choose: (choice: NextChoice) => void
  /** The rules that are made with the signature. Empty if the command should need approval again the next time. */
  readonly rules: readonly RuleDraft[]
  readonly command: string
  readonly isCopied: boolean
  /** Whether the command runs in the session's bash, which is never confined. */
  readonly isInBash: boolean
  readonly hasParts: boolean
  /** Places that git ignores and that contain all changes. Null if a change is elsewhere or if there are no changes. */
  readonly ignored: readonly string[] | null
  /** Why no rule can be made for a choice. Null if a rule can be made. */
  readonly reasonAgainst: (choice: NextChoice) => string | null
}

/** Null if the request is not for a command, or if it is for the changes of a layer, which must be signed each time. */
export function useNextTime(sessionId: SessionId, call: CallItem): NextTime | null {
  const folder = useStore(useDesk().list, ({ sessions }) => sessions.get(sessionId)?.folder ?? null)
  const [wanted, choose] = useState<NextChoice>('ask')
  const { rules } = useMemo(() => nextRules(wanted, call, { sessionId, folder }), [wanted, call, sessionId, folder])
  const effect = call.effects.find((each) => each.kind === 'command')
  if (!effect || isLayerWork(effect) || isSubagentCall(call)) return null
  return {
    chosen: rules.length > 0 ? wanted : 'ask',
    choose,
    rules,
    command: effect.command.trim(),
    isCopied: runsApart(effect),
    isInBash: effect.way === 'shell',
    hasParts: hasParts(call),
    ignored: ignoredPlaces(call.effects),
    reasonAgainst: (choice) => nextRules(choice, call, { sessionId, folder }).reason,
  }
}

const IN_COPY = 'Apply this command’s changes without asking'
const FOR_REAL = 'Run this command without asking'
const WITHOUT_COPY = 'Run this command at once, without a copy'
const OTHERS = 'Other rules'

/**
 * Lets the user choose what happens the next time, and shows what the choice means and what its rule would have changed in past sessions.
 */
export function NextTimeChoice({ next }: { readonly next: NextTime }): ReactNode {
  const { chosen, choose, isCopied } = next
  return (
    <>
      <span className="soft">Next time</span>
      {isCopied || next.hasParts ? (
        <Select variant="field" label="Next time" options={optionsOf(next)} selected={chosen} onSelect={choose} />
      ) : (
        <Segmented
          label="Next time"
          segments={[
            { id: 'ask', label: 'Ask again' },
            ...(['session', 'project', 'always'] as const).map((id) => ({
              id,
              label: SEGMENTS[id],
              disabledReason: next.reasonAgainst(id),
            })),
          ]}
          selected={chosen}
          onSelect={choose}
        />
      )}
    </>
  )
}

const SEGMENTS = { session: 'Yes, this session', project: 'Yes, always in this project', always: 'Yes, everywhere' }

interface Option {
  readonly id: NextChoice
  readonly label: string
  readonly group?: string
  readonly disabledReason?: string | null
}

function optionsOf({ isCopied, isInBash, hasParts: isLine, ignored, reasonAgainst }: NextTime): readonly Option[] {
  const option = (id: NextChoice, label: string, group: string): Option => ({ id, label, group, disabledReason: reasonAgainst(id) })
  const same = isCopied ? IN_COPY : FOR_REAL
  return [
    { id: 'ask', label: 'Ask' },
    option('session', 'This session', same),
    option('project', 'This project', same),
    option('always', 'Everywhere', same),
    ...(ignored ? [option('ignored', `Changes to ${namesOf(ignored)}, this project`, OTHERS)] : []),
    ...(isLine ? [option('each', 'Each command of this line, this project', OTHERS)] : []),
    ...(isCopied && !isInBash ? [option('confined', 'Confined, this project', WITHOUT_COPY)] : []),
    ...(isCopied ? [option('open', 'For real, this project', WITHOUT_COPY)] : []),
  ]
}

/** Maximum number of places named in an option. */
const MAX_NAMED_PLACES = 2

function namesOf(patterns: readonly string[]): string {
  const names = patterns.map((pattern) => pattern.slice(1))
  const more = names.length - MAX_NAMED_PLACES
  return more > 0 ? `${names.slice(0, MAX_NAMED_PLACES).join(', ')} and ${more} more ignored places` : `ignored ${names.join(', ')}`
}

export function NextTimeNote({ next }: { readonly next: NextTime }): ReactNode {
  const { rules, isCopied, chosen } = next
  const tried = useBackTest(rules)
  const [rule] = rules
  const reason = next.reasonAgainst('project')
  if (!rule) return reason !== null && (!isCopied || chosen !== 'ask') ? <p className={styles.nextNote}>{reason}</p> : null
  return (
    <p className={styles.nextNote} role="status">
      {rule.when.kind === 'path' ? 'All changes to ' : rules.length > 1 ? 'Lines of only ' : 'Exactly '}
      {rules.map(({ when }, at) => (
        <span key={when.pattern}>
          {at === 0 ? '' : at === rules.length - 1 ? ' and ' : ', '}
          <span className="path">
            <ExactText text={when.kind === 'path' ? when.pattern.slice(1) : when.pattern} />
          </span>
        </span>
      ))}
      {reachOf(rule, isCopied)} {tried ? backTestWords(rule, tried) : 'Trying it on your history …'}
    </p>
  )
}

/** The scope of the rules, in words. */
function reachOf({ when, where }: RuleDraft, isCopied: boolean): string {
  if (when.kind === 'path') return ', which git ignores, by commands and by edits. Control files still need your signature.'
  const way = when.kind === 'command' ? when.way : undefined
  const everywhere = where.kind === 'always' ? ', in every project' : ''
  if (way === 'confined')
    return ', in the folder itself: it writes nowhere else, and does not change existing control files. Deleting still needs your signature.'
  if (isCopied && way === undefined)
    return `${everywhere}, from a copy, and only inside the project. Hosts and deleting still need your signature.`
  return `${everywhere}, for real${isCopied ? ' and without a copy first' : ''}. Control files, places outside the project and deleting still need your signature.`
}
