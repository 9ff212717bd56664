import { z } from 'zod'
import { Plan } from '../../shared/session/plan.ts'
import type { FinalAnswer } from '../agent/answer/final-answer.ts'

function planSchema() {
  const { $schema: _, ...schema } = z.toJSONSchema(Plan)
  return schema
}

/** A plan is handed in as data that can be shown, compared and carried out. */
export const PLAN_ANSWER: FinalAnswer = {
  get shape() {
    return { name: 'plan', schema: planSchema() }
  },
  question:
    'Now give the same plan as one JSON object: summary, files_to_create (path, purpose), files_to_modify (path, changes), commands, dependencies, tests (path, coverage). Leave lists empty if they have no entries. Do not call tools.',
}
