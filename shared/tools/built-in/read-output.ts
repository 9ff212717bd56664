import { z } from 'zod'
import { LINES, named, rename, withLineCount } from '../foreign-arguments/argument-aliases.ts'
import { NO_DETAILS, toolSpec } from '../spec/tool-spec.ts'
import { callLine, textArgument } from '../spec/call-line.ts'

export const ReadOutputInput = z.object({
  call: z.string().min(1).describe('Id of the call, from the truncation warning.'),
  offset: z.number().int().min(1).optional().describe('Line to start from; the first line is 1.'),
  limit: z.number().int().min(1).max(2000).optional().describe('Number of lines to read. Default: 500.'),
  pattern: z.string().min(1).optional().describe('Return only lines that contain this text, with their numbers.'),
})
export type ReadOutputInput = z.infer<typeof ReadOutputInput>

export const readOutputSpec = toolSpec({
  name: 'read_output',
  verb: 'Read',
  description: 'Reads the full output of an earlier call that was truncated: a range of lines, or the lines that contain a text.',
  use: 'Use it if a result says that it was truncated.',
  isOffered: true,
  input: ReadOutputInput,
  reads: 'session',
  details: NO_DETAILS,
  line(call) {
    const pattern = textArgument(call, 'pattern')
    return callLine('Read', pattern, pattern === '' ? 'more of an earlier output' : 'in an earlier output')
  },
  aliases: {
    ...LINES,
    ...named(['call_id', 'tool_call_id', 'id'], rename('call')),
    ...named(['filter', 'query'], rename('pattern')),
  },
  complete: withLineCount,
})
