import { describe, expect, it } from 'vitest'
import { canonicalArguments, refusedArgument } from '../../shared/tools/foreign-arguments/canonical-arguments.ts'
import { TOOL_SPECS } from '../../shared/tools/catalogue.ts'
import { grepSpec } from '../../shared/tools/built-in/grep.ts'

const camel = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

describe('arguments in another style (D-51)', () => {
  it('can be in camel case in every tool', () => {
    for (const [tool, spec] of TOOL_SPECS)
      for (const name of Object.keys('shape' in spec.input ? (spec.input.shape as object) : {}))
        expect([tool, canonicalArguments(spec, { [camel(name)]: 3 })]).toEqual([tool, canonicalArguments(spec, { [name]: 3 })])
  })

  it('in camel case are treated like the same names in snake_case, even names from another agent and refused names', () => {
    expect(canonicalArguments(grepSpec, { pattern: 'a', ignoreCase: true, contextLines: 2, maxResults: 5 })).toMatchObject({
      pattern: 'a',
      case_sensitive: false,
      context_lines: 2,
      max_results: 5,
    })
    expect(refusedArgument(grepSpec, canonicalArguments(grepSpec, { pattern: 'a', maxDepth: 1 }))).toEqual({
      argument: 'max_depth',
      why: 'Run a command for that.',
    })
  })

  it('have lower priority than the same argument in our own style', () => {
    for (const args of [
      { max_results: 1, maxResults: 2 },
      { maxResults: 2, max_results: 1 },
    ])
      expect(canonicalArguments(grepSpec, args)).toMatchObject({ max_results: 1 })
  })
})
