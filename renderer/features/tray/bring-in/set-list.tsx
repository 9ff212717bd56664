import type { ReactNode } from 'react'
import type { BroughtFromAgent, TurnOfAgent } from '../../../../shared/session/effects.ts'
import { type Decided, kept, refused } from '../../../state/stores/review-decisions.ts'
import { Check } from '../../../ui/controls/check.tsx'
import { added, counted, removed } from '../../../ui/format.ts'
import { Facts } from '../../../ui/notices/facts.tsx'
import { ChoiceButtons } from '../review/choice-buttons.tsx'
import { lineCount } from '../review/review-signature.ts'
import type { Review } from '../review/use-request-review.ts'
import { agentFacts } from './agent-facts.tsx'
import styles from './bring-in.module.css'
import { countsOf } from './change-sets.ts'
import type { NamedSet } from './use-change-sets.ts'

interface SetListProps {
  readonly sets: readonly NamedSet[]
  /** The third-party agent that made the changes. Null for Countersign's own agent. */
  readonly agent: BroughtFromAgent | null
  readonly review: Review
}

/**
 * The change sets, in the order of their steps. A set's check box includes or excludes all of its parts. If the changes come from several
 * turns, each turn has a check box too.
 */
export function SetList({ sets, agent, review }: SetListProps): ReactNode {
  const turns = agent?.turns ?? []
  const rest = agent === null ? `stays in the ${review.from}` : 'will be removed'
  if (turns.length < 2)
    return (
      <>
        <Sets label="Change sets" sets={sets} all={sets} rest={rest} review={review} />
        <AlsoDone turns={turns} />
      </>
    )
  return [...Map.groupBy(sets, ({ step }) => turnOf(step, turns))].map(([turn, own]) => (
    <section key={turn}>
      <h3 className={styles.turn}>
        <TurnCheck words={turn === null ? 'Other changes' : `Turn ${turn}`} sets={own} review={review} />
      </h3>
      <Sets label={turn === null ? 'Other change sets' : `Change sets of turn ${turn}`} sets={own} all={sets} rest={rest} review={review} />
      <AlsoDone turns={turns.filter((one) => one.turn === turn)} />
    </section>
  ))
}

/** What the agent did in these turns besides its changes. */
function AlsoDone({ turns }: Pick<BroughtFromAgent, 'turns'>): ReactNode {
  const facts = agentFacts(turns, Infinity)
  if (facts.length === 0) return null
  return (
    <div className={styles.also}>
      <Facts facts={facts} />
    </div>
  )
}

function turnOf(step: number | null, turns: readonly TurnOfAgent[]): number | null {
  return turns.find(({ first, last }) => step !== null && step >= first && step <= last)?.turn ?? null
}

interface TurnCheckProps extends Pick<SetListProps, 'sets' | 'review'> {
  readonly words: string
}

function TurnCheck({ words, sets, review }: TurnCheckProps): ReactNode {
  const { decided, change } = review
  const keys = sets.flatMap(({ parts }) => parts.map(({ piece }) => piece.key))
  const signed = keys.filter((key) => !decided.refused.has(key)).length
  const toggle = (isIn: boolean): void =>
    change((known) => ({ ...(isIn ? kept(known, keys) : refused(known, keys)), current: keys[0] ?? null }))
  return (
    <>
      <Check label={words} checked={signed > 0} onChange={toggle} />
      <span className="soft push">{signed < keys.length ? `${signed} of ${counted(keys.length, 'hunk')}` : counted(signed, 'hunk')}</span>
      <ChoiceButtons name={words.toLowerCase()} keys={keys} review={review} offers={['later']} />
    </>
  )
}

interface SetsProps extends Pick<SetListProps, 'sets' | 'review'> {
  readonly label: string
  /** All sets of the request, by which they are numbered. */
  readonly all: readonly NamedSet[]
  /** What happens to a set that is left out. */
  readonly rest: string
}

function Sets({ label, sets, all, rest, review }: SetsProps): ReactNode {
  const { decided, change, current } = review
  return (
    <ol className={styles.sets} aria-label={label}>
      {sets.map((set) => {
        const { signed, of } = countsOf(set, decided.refused)
        const keys = set.parts.map(({ piece }) => piece.key)
        const hunks = set.parts.flatMap(({ hunk }) => (hunk === null ? [] : [hunk]))
        const lines = lineCount(hunks, decided)
        const isCurrent = current !== undefined && keys.includes(current.key)
        return (
          <li key={set.step} className={styles.set} data-shown={isCurrent || undefined} data-left={signed === 0 || undefined}>
            <span className="number">{all.indexOf(set) + 1}</span>
            <Check
              label={`Bring in ${set.title}`}
              labelHidden
              checked={signed > 0}
              onChange={(isIn) => change((known) => ({ ...(isIn ? kept(known, keys) : refused(known, keys)), current: keys[0] ?? null }))}
            />
            <button
              type="button"
              className={styles.name}
              data-tip={set.title}
              onClick={() => change((known) => ({ ...known, current: keys[0] ?? null }))}
            >
              {set.title}
            </button>
            {hunks.length > 0 && (
              <span className={styles.counts}>
                <span className="add">{added(lines.added)}</span> <span className="del">{removed(lines.removed)}</span>
              </span>
            )}
            <span className={styles.below}>{belowWords(set, decided, { rest, signed, of })}</span>
          </li>
        )
      })}
    </ol>
  )
}

interface SetFacts {
  readonly rest: string
  readonly signed: number
  readonly of: number
}

function belowWords(set: NamedSet, decided: Decided, { rest, signed, of }: SetFacts): string {
  const files = [...new Set(set.parts.map(({ file }) => file.shown))]
  const name = files.length === 1 ? (files[0]?.split('/').at(-1) ?? '') : counted(files.length, 'file')
  const { conflicts } = countsOf(set, decided.refused)
  const solved = set.parts.flatMap(({ file }) => decided.choices.get(file.path) ?? []).filter((choice) => choice !== null).length
  return [
    set.step === null ? '' : `step ${set.step}`,
    name,
    set.parts.every(({ piece }) => decided.later.has(piece.key))
      ? 'you decide later'
      : signed === 0
        ? rest
        : signed < of
          ? `${signed} of ${counted(of, 'hunk')}`
          : '',
    conflicts === 0 ? '' : `${counted(conflicts, 'conflict')}${solved >= conflicts ? ', solved' : ''}`,
  ]
    .filter((part) => part !== '')
    .join(' · ')
}
