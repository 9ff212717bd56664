import { z } from 'zod'

/** Canonical name of the tool that asks the user questions. */
export const QUESTION_TOOL = 'ask_user_question'

const QuestionOption = z.object({ label: z.string().min(1).max(500), description: z.string().max(2000).optional() })

/** A question: a choice (`options`), several choices (`multiSelect`), or free text (no options). */
export const Question = z.object({
  question: z.string().min(1).max(4000).describe('The question.'),
  header: z.string().max(200).optional().describe('The topic in one or two words.'),
  options: z.array(QuestionOption).max(20).optional().describe('Answers to choose from. The developer can always answer freely.'),
  multiSelect: z.boolean().optional().describe('Several options can be chosen. Default: false.'),
  default: z
    .array(z.string().max(4000))
    .max(20)
    .optional()
    .describe('The answer if nobody is there: option labels, or free text. Give a default answer wherever you can.'),
})
export type Question = z.infer<typeof Question>

/** The answer to one question: labels of chosen options, and the user's own words. If both are empty, there is no answer. */
export const QuestionAnswer = z.strictObject({
  chosen: z.array(z.string().max(500)).max(20).readonly(),
  text: z.string().max(20_000),
})
export type QuestionAnswer = Readonly<z.infer<typeof QuestionAnswer>>

export const NO_ANSWER: QuestionAnswer = { chosen: [], text: '' }

/** The answer that counts if nobody answers. `NO_ANSWER` for a question without a default. */
export function defaultAnswer({ default: given = [], options = [] }: Question): QuestionAnswer {
  const chosen = given.filter((one) => options.some(({ label }) => label === one))
  return { chosen, text: given.filter((one) => !chosen.includes(one)).join(', ') }
}

/** Why the answers do not fit the questions, as a sentence. Null if they fit. */
export function answersFlaw(questions: readonly Question[], answers: readonly QuestionAnswer[]): string | null {
  if (answers.length !== questions.length)
    return `The number of questions is ${questions.length}, but the number of answers is ${answers.length}.`
  for (const [at, { question, options = [], multiSelect = false }] of questions.entries()) {
    const chosen = answers[at]?.chosen ?? []
    const unknown = chosen.find((one) => !options.some(({ label }) => label === one))
    if (unknown !== undefined) return `“${unknown}” is not an option of “${question}”.`
    if (chosen.length > 1 && !multiSelect) return `“${question}” accepts one option, but ${chosen.length} were chosen.`
  }
  return null
}

/** One answer in words. Empty if there is none. */
export function answerText({ chosen, text }: QuestionAnswer): string {
  return [chosen.join(', '), text.trim()].filter((part) => part !== '').join('. ')
}

/**
 * Reads an answer that was typed in a terminal or given on the command line. The answer can be numbers of options, their labels, or any
 * text. An empty text means the default.
 */
export function typedAnswer(question: Question, typed: string): QuestionAnswer {
  const { options = [], multiSelect = false } = question
  const text = typed.trim()
  if (text === '') return defaultAnswer(question)
  const words = multiSelect ? text.split(',').map((word) => word.trim()) : [text]
  const chosen = words.map((word) => options.find(({ label }, at) => word === String(at + 1) || word.toLowerCase() === label.toLowerCase()))
  return chosen.every((option) => option !== undefined)
    ? { chosen: [...new Set(chosen.map(({ label }) => label))], text: '' }
    : { chosen: [], text }
}

/** The answer after an option was chosen. If several options can be chosen, choosing an option again removes it. */
export function withOption(
  { multiSelect = false }: Pick<Question, 'multiSelect'>,
  { chosen, text }: QuestionAnswer,
  label: string,
): QuestionAnswer {
  if (!multiSelect) return { chosen: [label], text: '' }
  return { chosen: chosen.includes(label) ? chosen.filter((one) => one !== label) : [...chosen, label], text }
}
