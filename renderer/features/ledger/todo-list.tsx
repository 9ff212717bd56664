import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import type { CallItem } from '../../../shared/session/state.ts'
import { TodoWriteInput } from '../../../shared/tools/todos.ts'
import { Dot } from '../../ui/marks/dot.tsx'
import { Icon } from '../../ui/marks/icon.tsx'
import { VisuallyHidden } from '../../ui/notices/visually-hidden.tsx'
import styles from './ledger.module.css'

type Todo = TodoWriteInput['todos'][number]

const WORDS: Readonly<Record<Todo['status'], string>> = { pending: 'To do', in_progress: 'Under way', completed: 'Done' }

/** The list that a step wrote; empty when it wrote none. */
export function todosOf(call: CallItem): readonly Todo[] {
  const input = call.toolName === 'todo_write' ? TodoWriteInput.safeParse(call.args) : null
  return input?.success ? input.data.todos : []
}

/** What the agent means to do, line by line, as it stood at this step: a shape and a word for each state, no boxes. */
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
