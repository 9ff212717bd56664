import { describe, expect, test } from 'vitest'
import { createPlanDrafts, draftOf, toggled } from '../../../renderer/state/stores/plan-drafts.ts'
import { createDecisions, type Decided } from '../../../renderer/state/stores/review-decisions.ts'
import type { ApprovalId } from '../../../shared/lib/ids.ts'
import { completePlan } from '../../../shared/workflow/work-plan.ts'
import { memoryStorage } from './memory-storage.ts'

const REQUEST = 'apr_1' as ApprovalId

const DECIDED: Decided = {
  refused: new Set(['a 1']),
  later: new Set(['a 1']),
  edits: new Map([['a 2', 'mine\n']]),
  choices: new Map([['b', ['now', { text: 'both' }, null]]]),
  drafts: new Map([['a 3', 'half a li']]),
  editing: 'a 3',
  unfolded: new Map([['a 1', false]]),
  current: 'a 3',
}

describe('what the user has begun at an open request', () => {
  test('survives a reload: decisions, versions, typed lines and the steps of a plan', () => {
    const kept = memoryStorage()
    const decisions = createDecisions(kept)
    decisions.store.setState(new Map([[REQUEST, DECIDED]]), true)
    decisions.flush()
    expect(createDecisions(kept).store.getState()).toEqual(new Map([[REQUEST, DECIDED]]))
    const plans = createPlanDrafts(kept)
    const draft = toggled(draftOf(completePlan({ steps: [{ title: 'One' }, { title: 'Two' }] })), '2')
    plans.store.setState(new Map([[REQUEST, draft]]), true)
    plans.flush()
    expect(createPlanDrafts(kept).store.getState()).toEqual(new Map([[REQUEST, draft]]))
  })

  test('is stored for the 50 requests that were changed last', () => {
    const kept = memoryStorage()
    const decisions = createDecisions(kept)
    const change = (at: number, current: string): void =>
      decisions.store.setState((all) => new Map(all).set(`apr_${at}` as ApprovalId, { ...DECIDED, current }), true)
    for (let at = 0; at < 50; at++) change(at, 'first')
    change(0, 'again')
    change(50, 'first')
    decisions.flush()
    const stored = [...createDecisions(kept).store.getState().keys()]
    expect(stored).toHaveLength(50)
    expect(stored.slice(-2)).toEqual(['apr_0', 'apr_50'])
    expect(stored).not.toContain('apr_1')
  })

  test('is ignored if what was stored does not fit, so that it cannot break the desk again and again', () => {
    const kept = memoryStorage()
    const decisions = createDecisions(kept)
    decisions.store.setState(new Map([[REQUEST, DECIDED]]), true)
    decisions.flush()
    for (const [key, value] of kept.values) {
      for (const odd of ['{', 'null', '[7]', value.replace('$set', '$list'), value.replace('"a 3"', '7')]) {
        kept.setItem(key, odd)
        expect(createDecisions(kept).store.getState(), odd).toEqual(new Map())
      }
    }
  })
})
