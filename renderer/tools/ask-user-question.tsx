import { askUserQuestionSpec } from '../../shared/tools/built-in/ask-user-question.ts'
import type { ToolView } from './view/tool-view.ts'

export const askUserQuestionView: ToolView = {
  spec: askUserQuestionSpec,
  folding: () => 'fixed',
  Body: ({ call, prose }) => prose(call.output),
}
