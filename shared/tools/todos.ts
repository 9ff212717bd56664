import { z } from 'zod'
import type { ToolSpec } from './tool-spec.ts'

export const TodoWriteInput = z.object({
  todos: z
    .array(
      z.object({
        id: z.string().trim().min(1).max(80).describe('Short id that stays the same while the step exists.'),
        content: z.string().trim().min(1).max(2000).describe('What to do.'),
        status: z.enum(['pending', 'in_progress', 'completed']).describe('At most one step can be in_progress.'),
        priority: z.enum(['high', 'medium', 'low']).describe('How important it is.'),
      }),
    )
    .max(200)
    .describe('The complete new list.'),
})
export type TodoWriteInput = z.infer<typeof TodoWriteInput>

export const todoWriteSpec = {
  name: 'todo_write',
  verb: 'Plan',
  description: 'Replaces your list of steps. The developer sees it.',
  input: TodoWriteInput,
} satisfies ToolSpec<typeof TodoWriteInput>

export const TodoReadInput = z.object({})

export const todoReadSpec = {
  name: 'todo_read',
  verb: 'Plan',
  description: 'Returns your list of steps.',
  input: TodoReadInput,
} satisfies ToolSpec<typeof TodoReadInput>
