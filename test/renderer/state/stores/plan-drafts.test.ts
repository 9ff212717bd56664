import { expect, test } from 'vitest'
import { changesOf, draftOf, edited, moved, replyOf, toggled, withNewStep } from '../../../../renderer/state/stores/plan-drafts.ts'
import { completePlan } from '../../../../shared/workflow/work-plan.ts'

const PLAN = completePlan({ title: 'P', steps: ['one', 'two', 'three', 'four'].map((title) => ({ title })) })
const titles = (draft = draftOf(PLAN)) => replyOf(PLAN, draft).plan.steps.map(({ title }) => title)

test('an untouched draft approves the plan as proposed, without a condition, and deviations need approval', () => {
  expect(replyOf(PLAN, draftOf(PLAN))).toEqual({ kind: 'plan', plan: PLAN, condition: null, asksOutside: true })
  expect(changesOf(PLAN, draftOf(PLAN))).toEqual([])
})

test('steps can be edited, dropped, restored, moved and added, but a step without a title is left out', () => {
  let draft = edited(draftOf(PLAN), '1', { title: 'ONE' })
  draft = toggled(toggled(toggled(draft, '2'), '3'), '3')
  draft = moved(moved(draft, '4', -1), '4', -1)
  draft = withNewStep(withNewStep(draft))
  draft = edited(draft, 'yours-1', { title: 'mine' })
  expect(titles(draft)).toEqual(['ONE', 'four', 'three', 'mine'])
  expect(changesOf(PLAN, draft).map(({ words, detail }) => [words, detail])).toEqual([
    ['Step 1', 'in your words'],
    ['Step 4 moved up to 2', 'four'],
    ['Step 2 dropped', 'two'],
    ['Step added', 'mine'],
  ])
})

test('the first step cannot move up, and the last step cannot move down', () => {
  expect(titles(moved(moved(draftOf(PLAN), '1', -1), '4', 1))).toEqual(['one', 'two', 'three', 'four'])
})

test.each([
  ['1', 1, 'Step 1 moved down to 2'],
  ['2', -1, 'Step 2 moved up to 1'],
  ['4', -1, 'Step 4 moved up to 3'],
] as const)('of two neighbors that change places, the one that the user moved is named (step %s by %i)', (id, by, words) => {
  expect(changesOf(PLAN, moved(draftOf(PLAN), id, by)).map((change) => change.words)).toEqual([words])
})
