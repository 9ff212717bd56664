import { setImmediate } from 'node:timers/promises'
import type { AskingServer, Effect } from '../../../shared/session/effects.ts'
import { answerText, defaultAnswer, type Question, type QuestionAnswer, typedAnswer } from '../../../shared/workflow/question.ts'
import type { SignatureReply } from '../../../shared/workflow/signature-reply.ts'
import { visibleLine } from '../report/visible-text.ts'
import type { PersonReply } from './ask-person.ts'
import type { TerminalLines } from './terminal-lines.ts'

/** The questions of a request. Empty if it asks for a signature. */
export function questionsIn(effects: readonly Effect[]): readonly Question[] {
  return effects.flatMap((effect) => (effect.kind === 'question' ? effect.questions : []))
}

/** The answers that are used if nobody answers. */
export function defaultAnswers(questions: readonly Question[]): SignatureReply {
  return { kind: 'answers', answers: questions.map(defaultAnswer), byDefault: true }
}

/** The MCP server that asks. Null if the agent asks. */
export function askingServer(effects: readonly Effect[]): AskingServer | null {
  return effects.find((effect) => effect.kind === 'question')?.from ?? null
}

/** Asks one question after another. After Ctrl+D, the remaining questions get their defaults. `from`: the MCP server that asks. */
export async function askQuestions(
  questions: readonly Question[],
  from: AskingServer | null,
  lines: TerminalLines,
  signal: AbortSignal,
): Promise<PersonReply> {
  const answers: QuestionAnswer[] = []
  if (from)
    lines.write(
      `   The MCP server ${visibleLine(from.server)} asks the following, and will get your answers: ${visibleLine(from.message)}\n`,
    )
  for (const question of questions) {
    lines.write(`${rowsOf(question).join('\n')}\n`)
    // The pause lets the terminal's buffered input be read first, so that text typed earlier is not mistaken for the answer.
    await setImmediate()
    const typed = await lines.ask(`   ${promptOf(question)}: `, signal)
    if (typed.kind !== 'line') return typed
    answers.push(typedAnswer(question, typed.text))
  }
  return { kind: 'sign', reply: { kind: 'answers', answers } }
}

function rowsOf({ question, options = [] }: Question): readonly string[] {
  const choices = options.map(({ label, description }, at) => {
    const more = description === undefined ? '' : `  ${visibleLine(description)}`
    return `   ${at + 1}  ${visibleLine(label)}${more}`
  })
  return [`   ${visibleLine(question)}`, ...choices]
}

function promptOf(question: Question): string {
  const { options = [], multiSelect = false } = question
  const how = options.length === 0 ? 'Your answer' : multiSelect ? 'Numbers with commas, or your own words' : 'A number, or your own words'
  const defaultText = answerText(defaultAnswer(question))
  return defaultText === '' ? how : `${how} (Enter: ${visibleLine(defaultText)})`
}
