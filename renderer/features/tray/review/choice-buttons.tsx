import type { MouseEvent, ReactNode } from 'react'
import { choiceOf, type Decided, kept, type PartChoice, postponed, refused } from '../../../state/stores/review-decisions.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { VisuallyHidden } from '../../../ui/notices/screen-reader.tsx'
import { isTyping } from '../../../state/commands/key-combinations.ts'
import type { Review } from './use-request-review.ts'

export const CHOICE_WORDS: Readonly<Record<PartChoice, string>> = { kept: 'kept', refused: 'refused', later: 'decide later' }
/** For the deletion of a file, where “kept” alone could mean the file. */
export const DELETION_WORDS: typeof CHOICE_WORDS = { kept: 'deletion kept', refused: 'deletion refused', later: 'decide later' }
export const CHOICE_MARKS = { kept: 'signed', refused: 'refused', later: 'pending' } as const
export const CHOICE_MARK_WORDS: Readonly<Record<PartChoice, string>> = { kept: 'Kept', refused: 'Refused', later: 'Undecided' }

const DECISIONS = { kept, refused, later: postponed } as const

interface ChoiceButtonsProps {
  /** Names the parts for screen readers, such as "a.txt". */
  readonly name: string
  /** The parts, which are decided together. */
  readonly keys: readonly string[]
  readonly review: Pick<Review, 'decided' | 'canWait' | 'change'>
  /** The choices that are offered, unless all the parts have them already. Default: all. */
  readonly offers?: readonly PartChoice[]
  /** Whether the words say that there are several parts. */
  readonly all?: boolean
  /** Whether keys act on these parts. If so, the keys are shown. */
  readonly hasKeys?: boolean
}

const ALL: readonly PartChoice[] = ['kept', 'refused', 'later']

/** The buttons that keep or refuse parts of a request or, where that is possible, leave the decision to a later request. */
export function ChoiceButtons({ name, keys, review, offers = ALL, all = false, hasKeys = false }: ChoiceButtonsProps): ReactNode {
  const { decided, canWait, change } = review
  const choices = choicesOf(decided, keys)
  const keep = all ? 'Keep all' : 'Keep'
  const refuse = all ? 'Refuse all' : 'Refuse'
  const words: Readonly<Record<PartChoice, { readonly shown: string; readonly said: string; readonly key: string }>> = {
    kept: { shown: keep, said: `${keep} ${name}`, key: 'Y' },
    refused: { shown: refuse, said: `${refuse} ${name}`, key: 'N' },
    later: { shown: 'Later', said: `Decide about ${name} later`, key: 'L' },
  }
  const choose = (choice: PartChoice, { currentTarget, detail }: MouseEvent<HTMLElement>): void => {
    // The first click of a double click has put the opposite button here.
    if (detail > 1) return
    change((known) => ({ ...DECISIONS[choice](known, keys), current: keys[0] ?? known.current }))
    // A message that is being written keeps the caret.
    if (isTyping(document.activeElement)) return
    // This button disappears. Without the focus, the keys would do nothing.
    currentTarget.closest<HTMLElement>('[role=group]')?.focus({ preventScroll: true })
  }
  return offers
    .filter((choice) => (choice !== 'later' || canWait) && choices.some((own) => own !== choice))
    .map((choice) => {
      const { shown, said, key } = words[choice]
      return (
        <Button
          key={choice}
          small
          variant="quiet"
          label={hasKeys ? undefined : said}
          keys={hasKeys ? key : undefined}
          onPress={(event) => choose(choice, event)}
        >
          {shown}
          {/* A label would have to contain the key too. */}
          {hasKeys && <VisuallyHidden> {name}</VisuallyHidden>}
        </Button>
      )
    })
}

const choicesOf = (decided: Decided, keys: readonly string[]): readonly PartChoice[] => keys.map((key) => choiceOf(decided, key))

/** What was chosen for parts that are not kept: "refused" if it holds for all, otherwise "2 refused, 1 decide later". Empty if all are kept. */
export function choiceCounts(decided: Decided, keys: readonly string[]): string {
  const choices = choicesOf(decided, keys)
  return (['refused', 'later'] as const)
    .map((choice) => ({ choice, count: choices.filter((own) => own === choice).length }))
    .filter(({ count }) => count > 0)
    .map(({ choice, count }) => `${count === keys.length ? '' : `${count} `}${CHOICE_WORDS[choice]}`)
    .join(', ')
}
