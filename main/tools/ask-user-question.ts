import type { JsonValue } from '../../shared/session/content.ts'
import { askUserQuestionSpec, type Question } from '../../shared/tools/ask-user-question.ts'
import type { Tool } from '../agent/ports/tool.ts'
import { defineTool } from './define/define-tool.ts'
import { rejected } from './define/outcome.ts'

const NOBODY =
  'Nobody can answer questions in this session. Choose the most useful interpretation, continue, and say in your final answer which one you chose.'

/** The agent's loop ends the turn after a question. The person's next message is the answer. */
export function createAskUserQuestionTool({ canAsk }: { readonly canAsk: boolean }): Tool {
  return defineTool(askUserQuestionSpec, ({ questions }) => {
    if (!canAsk) return Promise.resolve(rejected(NOBODY))
    const output = questions.length === 1 ? 'The developer sees your question.' : 'The developer sees your questions.'
    return Promise.resolve({
      kind: 'ready',
      effects: [],
      commit: () =>
        Promise.resolve({
          output: `${output} The answer is the next message.`,
          shown: questions.map(written).join('\n\n'),
          isError: false,
          details: detailsOf(questions),
        }),
    })
  })
}

/** Markdown for the ledger. */
function written({ question, options = [], multiSelect }: Question): string {
  const choices = options.map(({ label, description }) => `- **${label}**${description ? `: ${description}` : ''}`)
  const several = multiSelect === true && choices.length > 0 ? ' (several answers are possible)' : ''
  return [`${question}${several}`, ...(choices.length > 0 ? ['', ...choices] : [])].join('\n')
}

/** As JSON, which cannot contain undefined. */
function detailsOf(questions: readonly Question[]): JsonValue {
  return JSON.parse(JSON.stringify({ questions })) as JsonValue
}
