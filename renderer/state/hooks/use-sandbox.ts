import type { SandboxSupport } from '../../../shared/api/workspace.ts'
import { useAnswer } from '../use-answer.ts'

/** Whether commands in a folder run in a copy of it first. Null while loading. */
export function useSandbox(folder: string): SandboxSupport | null {
  return useAnswer(folder, folder === '' ? null : (client) => client.workspace.sandbox({ folder })).value
}
