/** The tools that come after each family's own, in this order. */
export const COMMON_NAMES = [
  'bash',
  'bash_output',
  'kill_shell',
  'read_output',
  'todo_write',
  'todo_read',
  'web_fetch',
  'web_search',
  'exit_plan_mode',
] as const
