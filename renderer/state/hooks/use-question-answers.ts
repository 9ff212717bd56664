import { useCallback, useMemo } from 'react'
import { useStore } from 'zustand'
import type { CallItem } from '../../../shared/session/state.ts'
import { defaultAnswer, type Question, type QuestionAnswer } from '../../../shared/workflow/question.ts'
import { useDesk } from '../desk-context.ts'

type Change = (at: number, answer: QuestionAnswer) => void

/** The user's answers so far, initially the defaults. They are kept while another session is shown. */
export function useQuestionAnswers(
  { approval }: Pick<CallItem, 'approval'>,
  questions: readonly Question[],
): readonly [readonly QuestionAnswer[], Change] {
  const { store } = useDesk().answers
  const id = approval?.approvalId
  const defaults = useMemo(() => questions.map(defaultAnswer), [questions])
  const answers = useStore(store, (all) => (id && all.get(id)) ?? defaults)
  const change: Change = useCallback(
    (at, answer) => {
      if (id) store.setState((all) => new Map(all).set(id, (all.get(id) ?? defaults).with(at, answer)), true)
    },
    [store, id, defaults],
  )
  return [answers, change]
}
