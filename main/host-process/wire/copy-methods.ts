import { z } from 'zod'
import { changeSetSchema, keptChangeSetSchema } from '../../environment/copy/changes/change-set-schema.ts'
import { applyOutcome, bashState, confinementOwner, copySupport, endedCopy, gitChange, setAside } from './copy-schemas.ts'
import { commandOptions, envVars, nothing, workingDir } from './environment-methods.ts'
import { amount, relativePath, size, wants } from './schemas.ts'

const strings = z.array(z.string())
/** `asksHosts`: whether the near side is asked about hosts that are not in `hosts`. If false, they are refused. */
const hostOptions = { hosts: strings.exactOptional(), asksHosts: z.boolean(), denied: strings.exactOptional() }
/** The id of the call that ran the command in its copy. */
const copy = z.int()
/** The id of the call that created the confinement. */
const confined = z.int()
const only = strings.exactOptional()

/** The lengths of the contents that come with the call, in this order. */
export const contents = z.array(z.int().nonnegative())

/** The calls of `CommandCopies`, and of the copies in which commands have ended. */
export const COPY_METHODS = {
  copySupport: { args: z.object({}), value: copySupport },
  /** The copy stays until `dropCopy` or `applyCopy`. */
  runCopy: {
    args: z.object({
      command: z.string(),
      wants,
      /** Whether the answer has a small change set and its contents, as that of `keepCopy`. */
      keeps: z.boolean(),
      options: z.object({
        ...commandOptions,
        ...hostOptions,
        workingDir,
        envVars,
        terminal: size.exactOptional(),
        state: z.object({ before: bashState.nullable() }).exactOptional(),
        localPorts: z.array(z.int()).exactOptional(),
        isFilled: z.boolean().exactOptional(),
        hasHardLinks: z.boolean().exactOptional(),
        maxBytes: amount.exactOptional(),
      }),
    }),
    value: endedCopy.extend({ kept: keptChangeSetSchema.nullable() }),
  },
  copyBytes: { args: z.object({ copy, path: relativePath }), value: nothing },
  applyCopy: { args: z.object({ copy, only }), value: applyOutcome },
  /** The answer has the contents of the files. */
  keepCopy: { args: z.object({ copy }), value: keptChangeSetSchema },
  /** The answer has the contents of the files that git lists. */
  gitChange: { args: z.object({ copy }), value: gitChange.nullable() },
  dropCopy: { args: z.object({ copy }), value: nothing },
  /** The confinement stays until `closeConfined`. */
  confine: {
    args: z.object({ options: z.object({ ...hostOptions, visible: strings.exactOptional(), owner: confinementOwner.exactOptional() }) }),
    value: nothing,
  },
  setAside: { args: z.object({ confined, since: z.number().exactOptional() }), value: setAside },
  closeConfined: { args: z.object({ confined }), value: nothing },
  /** The new contents of the files come with the call. `hashes`: their hashes, in the order of `contents`. */
  applyKept: { args: z.object({ kept: keptChangeSetSchema, only, contents, hashes: strings }), value: applyOutcome },
  releaseKept: { args: z.object({ changes: changeSetSchema.shape.changes }), value: nothing },
  ignoredParts: {
    args: z.object({ paths: z.array(z.object({ path: relativePath, isFolder: z.boolean() })) }),
    value: z.array(z.string().nullable()).readonly(),
  },
  keepsPath: { args: z.object({ path: z.string() }), value: z.boolean() },
  cleanupCopies: { args: z.object({}), value: nothing },
} as const
