import { Check, CircleDashed } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Todo } from '../../../shared/session/todo.ts'
import { Dot } from '../marks/dot.tsx'
import { Icon } from '../marks/icon.tsx'
import { VisuallyHidden } from '../notices/screen-reader.tsx'
import styles from './todo-list.module.css'

const WORDS: Readonly<Record<Todo['status'], string>> = { pending: 'To do', in_progress: 'In progress', completed: 'Done' }

export interface TodoListProps {
  readonly todos: readonly Todo[]
  /**
   * True only while a turn works on this list. Otherwise no item is animated, because a finished turn or an older list has no work in
   * progress.
   */
  readonly isRunning: boolean
}

/**
 * The agent's own to-do list, one line per item. Icons mark the items that are in progress or done. For screen readers, the state is
 * written before each item.
 */
export function TodoList({ todos, isRunning }: TodoListProps): ReactNode {
  return (
    <ul className={styles.todos} aria-label="To do">
      {todos.map(({ id, content, status }) => (
        <li key={id} className={status === 'completed' ? 'soft' : undefined}>
          <span className={styles.todoMark}>
            {status === 'completed' && <Icon glyph={Check} size={14} />}
            {status === 'in_progress' && (isRunning ? <Dot state="running" silent /> : <Icon glyph={CircleDashed} size={14} />)}
          </span>
          <span className={status === 'in_progress' ? 'strong' : undefined}>
            <VisuallyHidden>{WORDS[status]}: </VisuallyHidden>
            {content}
          </span>
        </li>
      ))}
    </ul>
  )
}
