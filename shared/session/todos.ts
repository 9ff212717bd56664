/** One entry of the agent's own list. */
export interface Todo {
  readonly id: string
  readonly content: string
  readonly status: 'pending' | 'in_progress' | 'completed'
  readonly priority: 'high' | 'medium' | 'low'
}
