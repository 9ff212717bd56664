import { z } from 'zod'
import type { ToolSpec } from './tool-spec.ts'

export const ApplyPatchInput = z.object({
  patch: z.string().min(1).describe('The whole patch, from "*** Begin Patch" to "*** End Patch".'),
})
export type ApplyPatchInput = z.infer<typeof ApplyPatchInput>

export const applyPatchSpec = {
  name: 'apply_patch',
  verb: 'Patch',
  description: `Changes, adds, moves and removes files by one patch, all of it or nothing:
*** Begin Patch
*** Update File: path/of/file.ts
*** Move to: new/path.ts (optional)
@@ a line above the change, such as a function's head
 context line
-line to take out
+line to put in
*** Add File: path/of/new.ts
+every line of it
*** Delete File: path/of/old.ts
*** End Patch
Lines begin with a blank (context), - or +. Give about three lines of context on each side; where that is not unique, name the enclosing class or function in one @@ line or several. "*** End of File" below a hunk ties it to the file's end. Paths are relative to the working directory.`,
  input: ApplyPatchInput,
} satisfies ToolSpec<typeof ApplyPatchInput>
