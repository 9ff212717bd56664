import { z } from 'zod'
import type { ToolSpec } from './tool-spec.ts'

export const KillShellInput = z.object({
  id: z.string().optional().describe('Which background command, such as bg_1; the session’s bash itself when left out.'),
})
export type KillShellInput = z.infer<typeof KillShellInput>

export const killShellSpec = {
  name: 'kill_shell',
  verb: 'End',
  description: 'Ends a background command, or without an id the session’s bash, with everything that it started.',
  input: KillShellInput,
} satisfies ToolSpec<typeof KillShellInput>
