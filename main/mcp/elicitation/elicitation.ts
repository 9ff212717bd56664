import type { AskingServer } from '../../../shared/session/effects.ts'
import type { Question } from '../../../shared/workflow/question.ts'
import type { RunContext } from '../../agent/ports/tool.ts'
import type { ServerAnswer, ServerQuestion } from '../connection.ts'
import { formContent, readForm } from './elicitation-form.ts'

/** Maximum number of characters of a server's message that are shown. */
const MAX_MESSAGE = 4_000

/**
 * Asks the user the server's questions until the answers fit its form. If nobody can answer, sends the form's own defaults if they are
 * sufficient, and otherwise declines.
 */
export async function askPerson(server: string, asked: ServerQuestion, ask: RunContext['ask']): Promise<ServerAnswer> {
  const fields = asked.kind === 'form' ? readForm(asked.fields, asked.required) : []
  if (typeof fields === 'string') return { kind: 'declined' }
  const from: AskingServer = {
    server,
    message: asked.message.slice(0, MAX_MESSAGE),
    optional: fields.flatMap(({ isRequired }, at) => (isRequired ? [] : [at])),
    address: asked.kind === 'page' ? asked.address : null,
  }
  let questions: readonly Question[] = fields.map(({ question }) => question)
  for (;;) {
    const answer = await ask({ kind: 'question', questions, from })
    if (answer === null) return { kind: 'cancelled' }
    if (answer.kind === 'signed' && asked.kind === 'page') return { kind: 'given', content: {} }
    if (answer.kind !== 'signed' || answer.reply?.kind !== 'answers') return { kind: 'declined' }
    const { answers, byDefault = false } = answer.reply
    const read = formContent(fields, answers)
    if ('content' in read) return { kind: 'given', content: read.content }
    if (byDefault) return { kind: 'declined' }
    questions = read.again
  }
}
