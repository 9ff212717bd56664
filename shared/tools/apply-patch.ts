import { z } from 'zod'
import type { ToolSpec } from './tool-spec.ts'

export const ApplyPatchInput = z.object({
  patch: z.string().min(1).describe('The patch, from "*** Begin Patch" to "*** End Patch".'),
})
export type ApplyPatchInput = z.infer<typeof ApplyPatchInput>

export const applyPatchSpec = {
  name: 'apply_patch',
  verb: 'Patch',
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
  input: ApplyPatchInput,
} satisfies ToolSpec<typeof ApplyPatchInput>
