import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Todo } from '../../../shared/session/todos.ts'
import { Dot } from '../marks/dot.tsx'
import { Icon } from '../marks/icon.tsx'
import { VisuallyHidden } from '../notices/visually-hidden.tsx'
import styles from './todo-list.module.css'

const WORDS: Readonly<Record<Todo['status'], string>> = { pending: 'To do', in_progress: 'Under way', completed: 'Done' }

/** What the agent means to do, line by line, a shape and a word for each state, no boxes. */
export function TodoList({ todos }: { readonly todos: readonly Todo[] }): ReactNode {
  return (
    <ul className={styles.todos} aria-label="To do">
      {todos.map(({ id, content, status }) => (
        <li key={id} className={status === 'completed' ? 'soft' : undefined}>
          <span className={styles.todoMark}>
            {status === 'completed' && <Icon glyph={Check} size={14} />}
            {status === 'in_progress' && <Dot state="running" silent />}
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
