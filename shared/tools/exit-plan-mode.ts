import { z } from 'zod'
import type { ToolSpec } from './tool-spec.ts'

export const ExitPlanModeInput = z.object({
  plan: z.string().max(50_000).optional().describe('What you are going to do, for the developer to agree to.'),
})
export type ExitPlanModeInput = z.infer<typeof ExitPlanModeInput>

export const exitPlanModeSpec = {
  name: 'exit_plan_mode',
  verb: 'Propose',
  description: 'In mode plan, in which nothing can be changed: asks the developer to agree to your plan and let you begin.',
  input: ExitPlanModeInput,
} satisfies ToolSpec<typeof ExitPlanModeInput>
