import { newId, ToolCallId } from '../../shared/lib/ids.ts'
import type { ToolCallPart } from '../../shared/session/content.ts'
import { askUserQuestionSpec } from '../../shared/tools/built-in/ask-user-question.ts'
import { type QuestionAnswer, QuestionAnswer as Answer } from '../../shared/workflow/question.ts'
import type { AskedByAgent } from '../agent/ports/foreign-agent.ts'
import type { Tool } from '../agent/ports/tool.ts'
import { createAskUserQuestionTool } from '../tools/built-in/ask-user-question.ts'

/** A third-party agent's questions to the user. They are asked with the tool `ask_user_question`. */
export interface AgentQuestions {
  readonly tool: Tool
  /** Returns the call that asks the questions. */
  begin(asked: AskedByAgent): ToolCallPart
  /** Declines questions that nobody has answered. Call this when the session asks the agent to go on. */
  declineRest(): void
}

export function createAgentQuestions({ canAsk }: { readonly canAsk: boolean }): AgentQuestions {
  const open = new Map<ToolCallId, AskedByAgent>()
  const tool = createAskUserQuestionTool({ canAsk })
  const answer = (toolCallId: ToolCallId, answers: readonly QuestionAnswer[]): void => {
    open.get(toolCallId)?.answer(answers)
    open.delete(toolCallId)
  }
  return {
    tool: {
      ...tool,
      async prepare(args, context) {
        const prepared = await tool.prepare(args, context)
        if (prepared.kind !== 'ready') return prepared
        return {
          ...prepared,
          async commit(run) {
            const output = await prepared.commit(run)
            const details = askUserQuestionSpec.details.safeParse(output.details)
            if (details.success) answer(run.toolCallId, Answer.array().parse(details.data.answers ?? []))
            return output
          },
        }
      },
    },
    begin(asked) {
      const toolCallId = ToolCallId.parse(newId('call'))
      open.set(toolCallId, asked)
      return { kind: 'tool_call', toolCallId, toolName: askUserQuestionSpec.name, argsText: JSON.stringify({ questions: asked.questions }) }
    },
    declineRest() {
      for (const asked of open.values()) asked.answer(null)
      open.clear()
    },
  }
}
