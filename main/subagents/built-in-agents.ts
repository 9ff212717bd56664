import type { AgentType } from '../agent/ports/subagents.ts'
import { z } from 'zod'
import { Plan } from '../../shared/workflow/plan-agent-answer.ts'
import type { FinalAnswerForm } from '../agent/answer/final-answer-in-form.ts'

/** The built-in agent types. How every subagent works and reports is in the system prompt, not in these prompts. */
export const AGENT_TYPES: readonly AgentType[] = [
  {
    name: 'explore',
    description: 'Finds out where something is or how it works. Can only read and search.',
    prompt: 'Explore the project to answer this. Search broadly first, then read the relevant places closely.',
    readsOnly: true,
  },
  {
    name: 'plan',
    description: 'Works out how to make a change, step by step. Can only read and search.',
    prompt: 'Plan this change; do not make it. List the steps in order, each with the files it touches and how to check it.',
    readsOnly: true,
    answer: 'plan',
  },
  {
    name: 'code',
    description: 'Makes a change that you can describe completely. Its edits and commands need the same signatures as yours.',
    prompt: 'Make exactly this change and check it.',
    readsOnly: false,
  },
  {
    name: 'test',
    description: 'Writes or runs tests and reports the results. Its edits and commands need the same signatures as yours.',
    prompt: 'Write or run the tests that this asks for. Change only tests unless the task says otherwise.',
    readsOnly: false,
  },
]

function planSchema() {
  const { $schema: _, ...schema } = z.toJSONSchema(Plan)
  return schema
}

/** A plan is requested as data, so that it can be shown, compared and executed. */
export const PLAN_ANSWER: FinalAnswerForm = {
  get shape() {
    return { name: 'plan', schema: planSchema() }
  },
  question:
    'Now give the same plan as one JSON object: summary, files_to_create (path, purpose), files_to_modify (path, changes), commands, dependencies, tests (path, coverage). Leave lists empty if they have no entries. Do not call tools.',
}
