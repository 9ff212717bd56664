import { z } from 'zod'
import { ignoredBy } from '../environment/search/ignored-by.ts'

/** An op that is no tool: arguments in, output out; throws an `Error` whose message says what is wrong with the arguments. */
export type Op = (args: unknown) => unknown

const ignoreArguments = z.object({ patterns: z.union([z.string(), z.array(z.string())]), paths: z.array(z.string()) })

export const OPS: Readonly<Record<string, Op>> = {
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
