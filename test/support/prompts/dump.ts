import { diffLines } from 'diff'
import { type FirstRequest, firstRequests, leanRequest, PROVIDERS } from './first-requests.ts'

/**
 * Returns the first requests of each model family as text, by file name. Each file contains its first request in full. For the others it
 * contains only the differences from the first.
 */
export function promptDumps(): ReadonlyMap<string, string> {
  return new Map([
    [
      'lean.txt',
      dump(
        [leanRequest('anthropic'), leanRequest('gemini')].map((request) => ({ ...request, name: `${request.name}, ${request.provider}` })),
      ),
    ],
    ...PROVIDERS.flatMap((provider) => {
      const requests = firstRequests(provider)
      const isSubagents = ({ name }: FirstRequest): boolean => name.startsWith('subagent')
      return [
        [`${provider}.txt`, dump(requests.filter((request) => !isSubagents(request)))] as const,
        [`${provider}-subagents.txt`, dump(requests.filter(isSubagents))] as const,
      ]
    }),
  ])
}

function dump([first, ...others]: readonly FirstRequest[]): string {
  if (!first) return ''
  const whole = textOf(first)
  const rest = others.map((request) => `${heading(request.name)} as above, except:\n\n${otherLines(whole, textOf(request))}`)
  return [`${heading(first.name)}\n\n${whole}`, ...rest].join('\n\n')
}

const heading = (name: string): string => `${'='.repeat(80)}\n${name}:`

function textOf({ system, tools, message }: FirstRequest): string {
  const told = tools.map(
    ({ name, description, parameters, freeForm }) =>
      `--- tool ${name}\n${description}\n${JSON.stringify(parameters, null, 1)}${freeForm ? `\nOr, for models that take it, plain text:\n${freeForm.grammar}` : ''}`,
  )
  return `--- system prompt\n${system}\n\n${told.join('\n\n')}\n\n--- message\n${message}\n`
}

function otherLines(one: string, other: string): string {
  const changes = diffLines(one, other).filter(({ added, removed }) => added || removed)
  return changes.map(({ added, value }) => value.replaceAll(/^/gmu, added ? '+ ' : '- ').replace(/[+-] $/u, '')).join('')
}
