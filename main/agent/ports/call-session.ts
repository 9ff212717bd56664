import type { ApprovalMode } from '../../../shared/session/settings/approval-mode.ts'
import type { Todo } from '../../../shared/session/todos.ts'

/** What a call may read of its session, and the little it may change there. */
export interface CallSession {
  mode(): ApprovalMode
  /** In the log before it returns; waiting calls are judged again. Throws `StorageError`. */
  setMode(mode: ApprovalMode): void
  todos(): readonly Todo[]
  /** In the log before it returns. Throws `StorageError`. */
  setTodos(todos: readonly Todo[]): void
  /** The whole text output of an earlier call of this session, however much of it the model saw. Null: no such call. */
  outputOf(toolCallId: string): string | null
  /**
   * Whether the person, or the output of an earlier call, mentioned the address in one of these forms. What the model wrote does not
   * count.
   */
  mentions(forms: readonly string[]): Promise<boolean>
}
