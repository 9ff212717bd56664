import { z } from 'zod'
import { named, rename } from '../foreign-arguments/argument-aliases.ts'
import { filesLine } from '../spec/call-line.ts'
import { toolSpec } from '../spec/tool-spec.ts'
import { WriteDetails } from './write-file.ts'

const SaveMemoryInput = z.object({ fact: z.string().min(1).max(4000).describe('The note, one sentence.') })
type SaveMemoryInput = z.infer<typeof SaveMemoryInput>

/** This tool is not offered, because an edit of the memory file has the same result. Gemini's models call the tool anyway. */
export const saveMemorySpec = toolSpec({
  name: 'save_memory',
  verb: 'Add to',
  description: 'Adds a note to the end of the project memory file.',
  input: SaveMemoryInput,
  details: WriteDetails,
  line: (call) => filesLine('Add to', call, [], call.effects?.length ? '' : 'the project memory'),
  aliases: named(['memory', 'content', 'note', 'text'], rename('fact')),
})
