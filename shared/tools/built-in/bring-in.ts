import { z } from 'zod'
import { callLine } from '../spec/call-line.ts'
import { NO_DETAILS, toolSpec } from '../spec/tool-spec.ts'

/** Called by Countersign itself, in a session that brings in the work of another one. No model is offered this tool. */
export const bringInSpec = toolSpec({
  name: 'bring_in',
  verb: 'Bring in',
  description: 'Brings the changes of a session’s layer into the folder, once the user has signed them.',
  input: z.object({}),
  details: NO_DETAILS,
  line: () => callLine('Bring in', '', 'what the session changed in its layer'),
})
