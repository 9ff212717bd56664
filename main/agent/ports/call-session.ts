import type { ApprovalMode } from '../../../shared/session/settings/approval-mode.ts'
import type { Todo } from '../../../shared/session/todos.ts'

/** What a call may know of its session, and the little that it may change there. */
export interface CallSession {
  mode(): ApprovalMode
  /** In the log before it returns; what waits is judged anew. Throws `StorageError`. */
  setMode(mode: ApprovalMode): void
  todos(): readonly Todo[]
  /** In the log before it returns. Throws `StorageError`. */
  setTodos(todos: readonly Todo[]): void
  /** The whole output of an earlier call of this session as text, however much of it the model was shown. Null: there is no such call. */
  outputOf(toolCallId: string): string | null
  /** Whether the person, or the output of an earlier call, named the address in one of these forms. What the model says itself does not count. */
  mentions(forms: readonly string[]): Promise<boolean>
}
