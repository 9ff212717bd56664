import { z } from 'zod'
import { QUESTION_TOOL } from '../session/question.ts'
import { isObject, listFromJson } from './arguments/aliases.ts'
import { callLine } from './spec/call-line.ts'
import { toolSpec } from './spec/tool-spec.ts'

const QuestionOption = z.object({ label: z.string().min(1).max(500), description: z.string().max(2000).optional() })

const Question = z.object({
  question: z.string().min(1).max(4000).describe('The question.'),
  header: z.string().max(200).optional().describe('The topic in one or two words.'),
  options: z.array(QuestionOption).max(20).optional().describe('Answers to choose from. The developer can always answer freely.'),
  multiSelect: z.boolean().optional().describe('Several options can be chosen. Default: false.'),
})
export type Question = z.infer<typeof Question>

const AskUserQuestionInput = z.object({ questions: z.array(Question).min(1).max(10).describe('The questions.') })
type AskUserQuestionInput = z.infer<typeof AskUserQuestionInput>

/** Not offered, because a question in the text of an answer does the same. Calls by the names that models know still work. */
export const askUserQuestionSpec = toolSpec({
  name: QUESTION_TOOL,
  verb: 'Ask',
  description: 'Asks the developer and ends your turn. The next message is the answer.',
  input: AskUserQuestionInput,
  // The questions as data, for hosts that show them with buttons.
  details: AskUserQuestionInput,
  line: () => callLine('Ask', '', 'a question'),
  otherNames: ['AskUserQuestion', 'ask_user', 'request_user_input', 'ask_followup_question'],
  aliases: { question: questionOf, questions: questionsOf },
})

/** One question with its answers beside it. */
function questionOf(
  question: unknown,
  { options, follow_up: followUp }: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return questionsOf([{ question, options: options ?? followUp }])
}

/** Questions and options may be plain texts. */
function questionsOf(value: unknown): Readonly<Record<string, unknown>> {
  const given = listFromJson(value)
  const questions: unknown = isObject(given) ? [given] : given
  if (!Array.isArray(questions)) return { questions }
  return { questions: questions.map((question: unknown) => (isObject(question) ? withOptions(question) : { question })) }
}

function withOptions({ options, multi_select: several, ...question }: Record<string, unknown>): Record<string, unknown> {
  const listed = listFromJson(options)
  const known = Array.isArray(listed)
    ? listed.map((option: unknown) => (typeof option === 'string' ? { label: option } : option))
    : undefined
  return { ...question, ...(several !== undefined && { multiSelect: several }), ...(known && { options: known }) }
}
