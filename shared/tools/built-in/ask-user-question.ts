import { isObject } from '../../lib/json.ts'
import { z } from 'zod'
import { Question, QUESTION_TOOL, QuestionAnswer } from '../../workflow/question.ts'
import { listFromJson } from '../foreign-arguments/argument-aliases.ts'
import { callLine } from '../spec/call-line.ts'
import { toolSpec } from '../spec/tool-spec.ts'

const AskUserQuestionInput = z.object({ questions: z.array(Question).min(1).max(10).describe('The questions.') })
type AskUserQuestionInput = z.infer<typeof AskUserQuestionInput>

export const askUserQuestionSpec = toolSpec({
  name: QUESTION_TOOL,
  verb: 'Ask',
  description:
    'Asks the developer and waits for the answers. Use it before you start if the request is vague, its scope is open, or a choice is theirs to make; ask everything at once.',
  input: AskUserQuestionInput,
  // The questions as data, for hosts that show them with buttons. Calls of older versions contain no answers.
  details: AskUserQuestionInput.extend({ answers: z.array(QuestionAnswer).optional() }),
  line: () => callLine('Ask', '', 'a question'),
  otherNames: ['AskUserQuestion', 'ask_user', 'request_user_input', 'ask_followup_question'],
  aliases: { question: questionOf, questions: questionsOf },
})

/** Converts one question whose options are a separate argument: `options` or `follow_up`. */
function questionOf(
  question: unknown,
  { options, follow_up: followUp }: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return questionsOf([{ question, options: options ?? followUp }])
}

/** Accepts questions and options that are plain texts. */
function questionsOf(value: unknown): Readonly<Record<string, unknown>> {
  const given = listFromJson(value)
  const questions: unknown = isObject(given) ? [given] : given
  if (!Array.isArray(questions)) return { questions }
  return { questions: questions.map((question: unknown) => (isObject(question) ? withOptions(question) : { question })) }
}

function withOptions({ options, multi_select: several, default: given, ...question }: Record<string, unknown>): Record<string, unknown> {
  const listed = listFromJson(options)
  const known = Array.isArray(listed)
    ? listed.map((option: unknown) => (typeof option === 'string' ? { label: option } : option))
    : undefined
  const preset = given === undefined ? {} : { default: Array.isArray(given) ? given : [given] }
  return { ...question, ...preset, ...(several !== undefined && { multiSelect: several }), ...(known && { options: known }) }
}
