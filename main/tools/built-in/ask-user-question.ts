import { modelOnly, reason } from '../../agent/reason.ts'
import { failure } from '../../agent/tool-output.ts'
import type { JsonValue } from '../../../shared/session/content.ts'
import type { QuestionEffect } from '../../../shared/session/effects.ts'
import { askUserQuestionSpec } from '../../../shared/tools/built-in/ask-user-question.ts'
import { answerText, NO_ANSWER, type Question, type QuestionAnswer } from '../../../shared/workflow/question.ts'
import type { SignatureReply } from '../../../shared/workflow/signature-reply.ts'
import type { Tool } from '../../agent/ports/tool.ts'
import { defineTool } from '../define/define-tool.ts'
import { rejected } from '../define/tool-path.ts'

const CHOOSE = modelOnly('Choose the most useful interpretation, continue, and say in your final answer which one you chose.')
const NOBODY = reason`Nobody can answer questions in this session. ${CHOOSE}`

/** The call waits until a user has answered, even across restarts. */
export function createAskUserQuestionTool({ canAsk }: { readonly canAsk: boolean }): Tool {
  return defineTool(askUserQuestionSpec, ({ questions }) => {
    if (!canAsk) return Promise.resolve(rejected(NOBODY))
    const effect: QuestionEffect = { kind: 'question', questions }
    return Promise.resolve({
      kind: 'ready',
      effects: [effect],
      commit: ({ reply }) => {
        if (reply?.kind !== 'answers') return Promise.resolve(failure(NOBODY, detailsOf(questions, [])))
        const { answers } = reply
        return Promise.resolve({
          output: forModel(questions, reply),
          shown: questions.map((question, at) => written(question, answers[at] ?? NO_ANSWER)).join('\n\n'),
          isError: false,
          details: detailsOf(questions, answers),
        })
      },
    })
  })
}

function forModel(questions: readonly Question[], { answers, byDefault }: Extract<SignatureReply, { kind: 'answers' }>): string {
  const lines = questions.map(({ question }, at) => {
    const text = answerText(answers[at] ?? NO_ANSWER)
    return `${question}\n${text === '' ? '(No answer. Choose the most useful interpretation, and say in your final answer which one.)' : text}`
  })
  const who = byDefault
    ? 'Nobody was there to answer, so your defaults were used. Say in your final answer which ones.'
    : 'The developer answered:'
  return [who, ...lines].join('\n\n')
}

/** The questions and answers in Markdown, for the ledger. */
function written({ question }: Question, answer: QuestionAnswer): string {
  return `${question}\n\n> ${answerText(answer).replaceAll('\n', '\n> ') || 'No answer'}`
}

/** Converted to JSON, which cannot contain undefined. */
function detailsOf(questions: readonly Question[], answers: readonly QuestionAnswer[]): JsonValue {
  return JSON.parse(JSON.stringify({ questions, answers })) as JsonValue
}
