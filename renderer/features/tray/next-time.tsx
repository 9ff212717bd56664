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

type Where = 'ask' | 'session' | 'project'

/** What is to happen the next time the same command comes. */
export interface NextTime {
  readonly chosen: Where
  readonly choose: (where: Where) => void
  /** Made with the signature; null: ask again. */
  readonly rule: RuleDraft | null
  readonly command: string
  readonly isCopied: boolean
  /** Why no rule can be made for it; null: one can. */
  readonly bar: string | null
}

/** Null: the request is about no command; a subagent's changes are signed each time. */
export function useNextTime(sessionId: SessionId, call: CallItem): NextTime | null {
  const { effects, approval } = call
  const folder = useStore(useDesk().list, ({ sessions }) => sessions.get(sessionId)?.folder ?? null)
  const [chosen, choose] = useState<Where>('ask')
  const effect = effects.find((each) => each.kind === 'command')
  const command = effect?.command.trim() ?? ''
  const isCopied = effect?.sandbox === 'copy'
  const bar = barOf(command, isCopied, approval?.destructive === true)
  const rule = useMemo((): RuleDraft | null => {
    const where = whereOf(chosen, sessionId, folder)
    if (where === null || bar !== null) return null
    return { answer: 'allow', when: { kind: 'command', pattern: command, ...(isCopied && { inCopy: true }) }, where }
  }, [chosen, sessionId, folder, bar, command, isCopied])
  return effect && !isSubagentCall(call) ? { chosen: rule ? chosen : 'ask', choose, rule, command, isCopied, bar } : null
}

function whereOf(chosen: Where, sessionId: SessionId, folder: string | null): RuleDraft['where'] | null {
  if (chosen === 'session') return { kind: 'session', sessionId }
  return chosen === 'project' && folder !== null ? { kind: 'project', folder } : null
}

/** Longer patterns cannot be saved. */
const MOST_CHARS = 2000

function barOf(command: string, isCopied: boolean, destructive: boolean): string | null {
  if (destructive && !isCopied) return 'It may delete data, and that always asks.'
  if (command.includes('*')) return 'In a rule * stands for any words, so a command with * gets no rule here. Settings, Rules makes one.'
  return command.length > MOST_CHARS ? 'The command is too long for a rule.' : null
}

const IN_COPY = 'Apply changes of this command without asking'

/** The choice, and what it means with its test on the person's history, before the rule is made. */
export function NextTimeChoice({ next }: { readonly next: NextTime }): ReactNode {
  const { chosen, choose, isCopied, bar } = next
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
      {isCopied
        ? ', from a copy, and only inside the project. Hosts and deleting still ask.'
        : ', for real. Control files, places outside the project and deleting still ask.'}{' '}
      {tried ? backTestWords(rule, tried) : 'Trying it on your history …'}
    </p>
  )
}
