import type { AskedHost, TurnOfAgent } from '../session/effects.ts'

/** What an agent did in several turns of a request besides changing files. `commands`: at most `most`. `others`: how many more it ran. */
export interface AgentWork {
  readonly commands: readonly string[]
  readonly others: number
  /** "pypi.org:443 (refused); api.example.com:443 (may always be reached)". A host that was both refused and allowed is named twice. */
  readonly hosts: string
}

export function agentWork(turns: readonly TurnOfAgent[], most: number): AgentWork {
  const commands = turns.flatMap((turn) => turn.commands ?? [])
  const others = turns.reduce((sum, turn) => sum + (turn.moreCommands ?? 0), Math.max(0, commands.length - most))
  return { commands: commands.slice(0, most), others, hosts: hostWords(turns.flatMap((turn) => turn.hosts ?? [])) }
}

const ANSWERS = { refused: 'refused', allowed: 'allowed', own: 'may always be reached' } as const

function hostWords(hosts: readonly AskedHost[]): string {
  const words = (['refused', 'allowed', 'own'] as const).flatMap((answer) => {
    const named = [...new Set(hosts.filter((one) => one.answer === answer).map(({ host }) => host))]
    return named.length === 0 ? [] : [`${named.join(', ')} (${ANSWERS[answer]})`]
  })
  return words.join('; ')
}
