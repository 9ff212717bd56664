import { isSubagentCall } from '../../../shared/tools/subagents.ts'
import { type ReactNode, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import type { RuleDraft } from '../../../shared/api/rules.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { useDesk } from '../../state/desk-context.ts'
import { backTestWords, useBackTest } from '../../state/hooks/use-back-test.ts'
import { Segmented } from '../../ui/controls/segmented.tsx'
import { Select } from '../../ui/controls/select/select.tsx'
import { ExactText } from '../../ui/text/exact-text.tsx'
import styles from './tray.module.css'

type Where = 'ask' | 'session' | 'project' | 'confined' | 'open'

/** What is to happen the next time the same command comes. */
export interface NextTime {
  readonly chosen: Where
  readonly choose: (where: Where) => void
  /** Made with the signature; null: ask again. */
  readonly rule: RuleDraft | null
  readonly command: string
  readonly isCopied: boolean
  /** In the session's bash, which is never confined. */
  readonly isInBash: boolean
  /** Why no rule can be made for it; null: one can. */
  readonly bar: string | null
  /** The same for a rule that runs it without a copy. */
  readonly wayBar: string | null
}

/** Null: the request is about no command; a subagent's changes are signed each time. */
export function useNextTime(sessionId: SessionId, call: CallItem): NextTime | null {
  const { effects, approval } = call
  const folder = useStore(useDesk().list, ({ sessions }) => sessions.get(sessionId)?.folder ?? null)
  const [chosen, choose] = useState<Where>('ask')
  const effect = effects.find((each) => each.kind === 'command')
  const command = effect?.command.trim() ?? ''
  const isCopied = effect?.sandbox === 'copy'
  // The person has chosen this way; else the command could not run in a copy anyway.
  const way = call.noCopy?.reason === null ? (effect?.sandbox === 'confined' ? 'confined' : 'open') : undefined
  const bar = barOf(command, isCopied, approval?.destructive === true)
  const wayBar = effect?.destructive ? DELETES : bar
  const isDisabled = (chosen === 'confined' || chosen === 'open' ? wayBar : bar) !== null
  const rule = useMemo((): RuleDraft | null => {
    const where = whereOf(chosen, sessionId, folder)
    if (where === null || isDisabled) return null
    return { answer: 'allow', when: { kind: 'command', pattern: command, ...kindOf(chosen, isCopied, way) }, where }
  }, [chosen, sessionId, folder, isDisabled, command, isCopied, way])
  return effect && !isSubagentCall(call)
    ? { chosen: rule ? chosen : 'ask', choose, rule, command, isCopied, isInBash: effect.way === 'shell', bar, wayBar }
    : null
}

function whereOf(chosen: Where, sessionId: SessionId, folder: string | null): RuleDraft['where'] | null {
  if (chosen === 'session') return { kind: 'session', sessionId }
  return chosen !== 'ask' && folder !== null ? { kind: 'project', folder } : null
}

type Kind = Pick<Extract<RuleDraft['when'], { kind: 'command' }>, 'inCopy' | 'way'>

function kindOf(chosen: Where, isCopied: boolean, way: Kind['way']): Kind {
  if (chosen === 'confined' || chosen === 'open') return { way: chosen }
  if (isCopied) return { inCopy: true }
  return way === undefined ? {} : { way }
}

const DELETES = 'It may delete data, and that always asks.'
/** Longer patterns cannot be saved. */
const MAX_COMMAND_CHARS = 2000

function barOf(command: string, isCopied: boolean, destructive: boolean): string | null {
  if (destructive && !isCopied) return DELETES
  if (command.includes('*')) return 'In a rule * stands for any words, so a command with * gets no rule here. Settings, Rules makes one.'
  return command.length > MAX_COMMAND_CHARS ? 'The command is too long for a rule.' : null
}

const IN_COPY = 'Apply changes of this command without asking'
const WITHOUT_COPY = 'Run this command at once, without a copy'

/** The choice, and what it means with its test on the person's history, before the rule is made. */
export function NextTimeChoice({ next }: { readonly next: NextTime }): ReactNode {
  const { chosen, choose, isCopied, isInBash, bar, wayBar } = next
  return (
    <>
      <span className={styles.nextTerm}>Next time</span>
      {isCopied ? (
        <Select
          variant="field"
          label="Next time"
          options={[
            { id: 'ask', label: 'Ask' },
            { id: 'session', label: 'This session', group: IN_COPY, disabledReason: bar },
            { id: 'project', label: 'This project', group: IN_COPY, disabledReason: bar },
            ...(isInBash
              ? []
              : [{ id: 'confined' as const, label: 'Confined, this project', group: WITHOUT_COPY, disabledReason: wayBar }]),
            { id: 'open', label: 'For real, this project', group: WITHOUT_COPY, disabledReason: wayBar },
          ]}
          selected={chosen}
          onSelect={choose}
        />
      ) : (
        <Segmented
          label="Next time"
          segments={[
            { id: 'ask', label: 'Ask again' },
            { id: 'session', label: 'Yes, this session', disabledReason: bar },
            { id: 'project', label: 'Yes, always in this project', disabledReason: bar },
          ]}
          selected={chosen}
          onSelect={choose}
        />
      )}
    </>
  )
}

export function NextTimeNote({ next: { rule, command, isCopied, bar } }: { readonly next: NextTime }): ReactNode {
  const tried = useBackTest(rule)
  if (rule === null) return !isCopied && bar !== null ? <p className={styles.nextNote}>{bar}</p> : null
  return (
    <p className={styles.nextNote} role="status">
      Exactly{' '}
      <span className="path">
        <ExactText text={command} />
      </span>
      {reachOf(rule, isCopied)} {tried ? backTestWords(rule, tried) : 'Trying it on your history …'}
    </p>
  )
}

/** How far the rule reaches. */
function reachOf({ when }: RuleDraft, isCopied: boolean): string {
  const way = when.kind === 'command' ? when.way : undefined
  if (way === 'confined') return ', in the folder itself: it writes nowhere else, and no control files that exist. Deleting still asks.'
  if (isCopied && way === undefined) return ', from a copy, and only inside the project. Hosts and deleting still ask.'
  return `, for real${isCopied ? ' and without a copy first' : ''}. Control files, places outside the project and deleting still ask.`
}
