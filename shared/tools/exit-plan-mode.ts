import { z } from 'zod'
import type { ToolSpec } from './tool-spec.ts'

export const ExitPlanModeInput = z.object({
  plan: z.string().max(50_000).optional().describe('The plan, in Markdown.'),
})
export type ExitPlanModeInput = z.infer<typeof ExitPlanModeInput>

export const exitPlanModeSpec = {
  name: 'exit_plan_mode',
  verb: 'Propose',
  description: 'Presents your plan to the developer. If they agree, you can start to make changes.',
  input: ExitPlanModeInput,
} satisfies ToolSpec<typeof ExitPlanModeInput>
