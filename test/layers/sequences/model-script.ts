import type { ScriptedAnswer, ScriptedRequest } from '../../../main/providers/rehearsal/scripted-answer.ts'
import { call, calls, say } from '../../support/scripted-model.ts'

/** A message that says which calls the model should make. */
export const callsText = (list: readonly object[]): string => `⟦${JSON.stringify(list)}⟧`

/** A model that makes the calls of the newest message, one after the other. It needs no memory, so it outlives the app. */
export function obey({ body: { messages } }: ScriptedRequest): ScriptedAnswer {
  const at = messages.findLastIndex(({ role, content }) => role === 'user' && textIn(content).includes('⟦'))
  const list = JSON.parse(/.*⟦(.*)⟧/su.exec(textIn(messages[at]?.content))?.[1] ?? '[]') as readonly {
    readonly name: string
    readonly args: object
  }[]
  const made = messages.slice(at).filter(({ role }) => role === 'assistant').length
  const next = list[made]
  return next === undefined ? say('Done.') : calls(call(next.name, { ...next.args }, `call_${messages.length}`))
}

function textIn(content: ScriptedRequest['body']['messages'][number]['content'] | undefined): string {
  if (content === undefined || typeof content === 'string') return content ?? ''
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')
}
