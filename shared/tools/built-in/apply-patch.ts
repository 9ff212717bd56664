import { z } from 'zod'
import { named, rename } from '../foreign-arguments/argument-aliases.ts'
import { each, isOtherThan, NO_DRY_RUN } from '../foreign-arguments/argument-refusals.ts'
import { filesLine, textArgument } from '../spec/call-line.ts'
import { toolSpec } from '../spec/tool-spec.ts'
import { WriteDetails } from './write-file.ts'

export const ApplyPatchInput = z.object({
  patch: z.string().min(1).describe('The patch, from "*** Begin Patch" to "*** End Patch".'),
})
export type ApplyPatchInput = z.infer<typeof ApplyPatchInput>

export const applyPatchSpec = toolSpec({
  name: 'apply_patch',
  verb: 'Edit',
  description: `Changes, adds, moves and deletes files with one patch, which is applied completely or not at all:
*** Begin Patch
*** Update File: path/to/file.ts
*** Move to: new/path.ts
@@ function aboveTheChange()
 unchanged line
-removed line
+added line
*** Add File: path/to/new.ts
+each line of the new file
*** Delete File: path/to/old.ts
*** End Patch
Every line of a change starts with a space (unchanged), - or +. "*** Move to:" and the text after @@ are optional. Several @@ lines narrow down the place from the outside in. "*** End of File" after a change ties it to the end of the file. Paths are relative to the working directory.`,
  use: 'The default way to change, move and delete files.',
  input: ApplyPatchInput,
  details: WriteDetails,
  line: (call) => filesLine('Edit', call, patchedFiles(textArgument(call, 'patch'))),
  otherNames: ['ApplyPatch'],
  aliases: {
    ...named(['input', 'diff', 'patch_text', 'patchText'], rename('patch')),
    // Some agents send the patch as the last argument of a command line, after the name of the program.
    command: (value) => ({ patch: Array.isArray(value) ? value.at(-1) : value }),
  },
  refuses: {
    ...NO_DRY_RUN,
    ...each(['cwd', 'workdir', 'working_dir', 'working_directory', 'base_path', 'root', 'strip'], {
      why: 'Paths in the patch are relative to the working directory.',
      when: isOtherThan('.', './'),
    }),
    ...each(['reverse', 'revert'], { why: 'Write the reversed patch.' }),
  },
})

/** The files that a patch lists, in the order of the patch. */
function patchedFiles(patch: string): readonly string[] {
  return [...patch.matchAll(/^\*\*\* (?:Update|Add|Delete) File: (.+)$/gmu)].map(([, path = '']) => path.trim())
}
