import type { ReactNode } from 'react'
import { type AgentWork, agentWork } from '../../../../shared/agents/agent-work.ts'
import type { TurnOfAgent } from '../../../../shared/session/effects.ts'
import type { Fact } from '../../../ui/notices/facts.tsx'
import { foreign } from '../../../ui/text/exact-text.tsx'

/**
 * What a third-party agent did in its turns besides changing files: the commands that it ran, as it reports them, and the hosts that its
 * programs asked for, as the proxy saw them. `most`: how many commands are listed.
 */
export function agentFacts(turns: readonly TurnOfAgent[], most: number): readonly Fact[] {
  const work = agentWork(turns, most)
  return [
    ...(work.commands.length === 0 ? [] : [{ term: 'It ran', fact: <Commands work={work} /> }]),
    ...(work.hosts === '' ? [] : [{ term: 'It asked for', fact: work.hosts }]),
  ]
}

function Commands({ work: { commands, others } }: { readonly work: AgentWork }): ReactNode {
  return (
    <>
      {commands.map((command, at) => (
        <div key={`${command} ${at}`}>
          <code>{foreign(command)}</code>
        </div>
      ))}
      {others > 0 && <div>and {others.toLocaleString('en-US')} more, listed in its session</div>}
    </>
  )
}
