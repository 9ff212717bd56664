import type { AndOr, CommandNode, PipelineNode } from 'unbash'
import type { CommandPart } from '../../../shared/session/effects.ts'
import type { Finding } from './findings.ts'
import type { CommandJudgement } from './judge-command.ts'

/** The operators between two commands. The empty string stands for a new line. */
const OPERATORS: ReadonlySet<string> = new Set(['', ';', '&', '&&', '|', '||', '|&'])
/** Longer command lines are shown without being split into parts. */
const MAX_COMMAND_CHARS = 20_000

interface Span {
  readonly from: number
  readonly to: number
}

/**
 * Splits a line into its commands, each with what it would do. Empty if there is only one command, or if the line is more than a plain
 * list (groups, loops, here-documents). The parts and their operators make up the complete line, except for spaces and newlines between
 * them.
 */
export function commandParts(command: string, { line, findings }: CommandJudgement): readonly CommandPart[] {
  if (command.length > MAX_COMMAND_CHARS) return []
  const spans: readonly (Span | null)[] = line.tree.commands.flatMap((statement) => spansOf(statement.command))
  const [first, ...others] = spans.flatMap((span) => span ?? [])
  if (first === undefined || others.length === 0 || spans.includes(null)) return []
  const parts: CommandPart[] = []
  for (const [at, span] of [first, ...others].entries()) {
    const before = at === 0 ? 0 : ([first, ...others][at - 1]?.to ?? 0)
    const { operator, rest } = joint(command.slice(before, span.from))
    const last = parts.at(-1)
    if (last && rest !== '') parts.splice(-1, 1, { ...last, text: `${last.text} ${rest}` })
    const note = noteOf(findings.filter((finding) => finding.at >= span.from && finding.at < span.to))
    parts.push({ operator, text: command.slice(span.from, span.to), ...(note !== null && { note }) })
  }
  const tail = command.slice(others.at(-1)?.to ?? 0).trim()
  const last = parts.at(-1)
  if (last && tail !== '') parts.splice(-1, 1, { ...last, text: `${last.text} ${tail}` })
  const isWhole = bare(parts.map(({ operator, text }) => operator + text).join('')) === bare(command)
  return isWhole && parts.every(({ operator }) => OPERATORS.has(operator)) ? parts : []
}

/** Returns the operator between two commands, and a comment before the operator, which belongs to the first command. */
function joint(gap: string): { readonly operator: string; readonly rest: string } {
  const [, comment = ''] = /^[^\S\n]*(#[^\n]*)\n/u.exec(gap) ?? []
  return { operator: gap.replace(comment, '').trim(), rest: comment }
}

/** The positions of the commands of a statement. Null for a command that is not simple. */
function spansOf(node: PipelineNode | AndOr): readonly (Span | null)[] {
  switch (node.type) {
    case 'AndOr':
      return node.commands.flatMap(spansOf)
    case 'Pipeline':
      return node.commands.flatMap((command, at) => spanOf(command, at === 0 ? node.pos : command.pos))
    default:
      return [spanOf(node, node.pos)]
  }
}

function spanOf(node: CommandNode, from: number): Span | null {
  const isPlain = node.type === 'TestCommand' || (node.type === 'Command' && node.redirects.every(({ type }) => type !== 'HereDoc'))
  return isPlain ? { from, to: node.end } : null
}

const bare = (text: string): string => text.replace(/[ \t\n]/gu, '')

/** Why a command needs approval, in a few words. Null if nothing is found. */
function noteOf(findings: readonly Finding[]): string | null {
  const of = (kind: Finding['kind']): Finding | undefined => findings.find((finding) => finding.kind === kind)
  const removed = of('removes')
  if (removed) return `would remove ${removed.what}`
  if (of('destroys')) return of('outside') ? 'may delete data outside the folder' : 'may delete data'
  const controlled = of('control')
  if (controlled) return `writes ${controlled.what}`
  const steered = of('steers')
  if (steered) return `sets ${steered.what}`
  return of('outside') ? 'may reach outside the folder' : null
}
