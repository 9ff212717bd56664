import { z } from 'zod'
import { QUESTION_TOOL } from '../session/question.ts'
import type { ToolSpec } from './tool-spec.ts'

const QuestionOption = z.object({ label: z.string().min(1).max(500), description: z.string().max(2000).optional() })

const Question = z.object({
  question: z.string().min(1).max(4000).describe('The question.'),
  header: z.string().max(200).optional().describe('The topic in one or two words.'),
  options: z.array(QuestionOption).max(20).optional().describe('Answers to choose from. The developer can always answer freely.'),
  multiSelect: z.boolean().optional().describe('Several options can be chosen. Default: false.'),
})
export type Question = z.infer<typeof Question>

export const AskUserQuestionInput = z.object({ questions: z.array(Question).min(1).max(10).describe('The questions.') })
export type AskUserQuestionInput = z.infer<typeof AskUserQuestionInput>

/** The questions as data, for whoever shows them with buttons. */
export type AskUserQuestionDetails = AskUserQuestionInput

/** Accepted under the names that models know; not offered, since a question in the answer's text does the same. */
export const askUserQuestionSpec = {
  name: QUESTION_TOOL,
  verb: 'Ask',
  description: 'Asks the developer and ends your turn. The next message is the answer.',
  input: AskUserQuestionInput,
} satisfies ToolSpec<typeof AskUserQuestionInput>
