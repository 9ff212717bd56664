import { z } from 'zod'
import type { ToolSpec } from './tool-spec.ts'

export const KillShellInput = z.object({
  id: z.string().optional().describe('Id of the background command, such as bg_1.'),
})
export type KillShellInput = z.infer<typeof KillShellInput>

export const killShellSpec = {
  name: 'kill_shell',
  verb: 'End',
  description: 'Stops a background command, or the persistent bash process if no id is given, with everything that it started.',
  input: KillShellInput,
} satisfies ToolSpec<typeof KillShellInput>
