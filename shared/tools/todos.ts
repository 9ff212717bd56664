import { z } from 'zod'
import type { ToolSpec } from './tool-spec.ts'

export const TodoWriteInput = z.object({
  todos: z
    .array(
      z.object({
        id: z.string().trim().min(1).max(80).describe('Short name that stays the same from list to list.'),
        content: z.string().trim().min(1).max(2000).describe('What is to be done.'),
        status: z.enum(['pending', 'in_progress', 'completed']).describe('At most one is in_progress.'),
        priority: z.enum(['high', 'medium', 'low']).describe('How much it matters.'),
      }),
    )
    .max(200)
    .describe('The whole list: it takes the place of the one before.'),
})
export type TodoWriteInput = z.infer<typeof TodoWriteInput>

export const todoWriteSpec = {
  name: 'todo_write',
  verb: 'Plan',
  description:
    'Writes your list of what is to be done, for the developer to follow. Use it for work of three steps or more, and keep it true: mark a step in_progress when you begin it and completed as soon as it is.',
  input: TodoWriteInput,
} satisfies ToolSpec<typeof TodoWriteInput>

export const TodoReadInput = z.object({})

export const todoReadSpec = {
  name: 'todo_read',
  verb: 'Plan',
  description: 'Reads your list of what is to be done.',
  input: TodoReadInput,
} satisfies ToolSpec<typeof TodoReadInput>
