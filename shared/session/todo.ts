/** One entry of the agent's list of tasks. */
export interface Todo {
  readonly id: string
  readonly content: string
  readonly status: 'pending' | 'in_progress' | 'completed'
  readonly priority: 'high' | 'medium' | 'low'
}
