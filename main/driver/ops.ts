import { z } from 'zod'
import { applyDiff } from '../tools/patch/apply-diff.ts'
import { ignoredBy } from '../environment/search/ignored-by.ts'

/** An op that is no tool: arguments in, output out; throws an `Error` whose message says what is wrong with the arguments. */
export type Op = (args: unknown) => unknown

const ignoreArguments = z.object({ patterns: z.union([z.string(), z.array(z.string())]), paths: z.array(z.string()) })

const applyDiffArguments = z.object({ input: z.string(), diff: z.string(), mode: z.enum(['default', 'create']).optional() })

export const OPS: Readonly<Record<string, Op>> = {
  /** `input` with the hunks of one section applied, or the new file that its `+` lines make. */
  apply_diff: (args) => {
    const { input, diff, mode } = parsed(applyDiffArguments, args)
    const result = applyDiff(input, diff, mode)
    if (!result.ok) throw new Error(result.failure)
    return result.value
  },
  /** Of `paths` (relative, with `/`; a folder ends with one) those that a `.gitignore` of these lines leaves out. */
  ignore: (args) => {
    const { patterns, paths } = parsed(ignoreArguments, args)
    return ignoredBy(typeof patterns === 'string' ? patterns : patterns.join('\n'), paths)
  },
}

function parsed<T>(schema: z.ZodType<T>, args: unknown): T {
  const result = schema.safeParse(args)
  if (result.success) return result.data
  throw new Error(`Invalid arguments: ${result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')}`)
}
