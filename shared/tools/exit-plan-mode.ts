import { z } from 'zod'
import { NO_DETAILS, toolSpec } from './spec/tool-spec.ts'
import { callLine } from './spec/call-line.ts'

const ExitPlanModeInput = z.object({
  plan: z.string().max(50_000).optional().describe('The plan, in Markdown.'),
})
type ExitPlanModeInput = z.infer<typeof ExitPlanModeInput>

export const exitPlanModeSpec = toolSpec({
  name: 'exit_plan_mode',
  verb: 'Propose',
  description: 'Presents your plan to the developer. If they agree, you can start to make changes.',
  input: ExitPlanModeInput,
  details: NO_DETAILS,
  line: () => callLine('Propose', '', 'a plan'),
  otherNames: ['ExitPlanMode'],
})
