import type { McpResource } from '../../../../shared/api/mcp.ts'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import { attemptRequest, report } from '../../../state/commands/attempt-request.ts'
import { useDesk } from '../../../state/desk-context.ts'
import type { Desk } from '../../../state/desk.ts'
import { useAnswer } from '../../../state/use-answer.ts'
import type { CompletionTarget, CompletionOption } from './completion-target.ts'

const NONE: readonly CompletionOption[] = []

/** Matching resources of the folder's MCP servers. Choosing a resource attaches its text to the message. */
export function useResourceOptions(sessionId: SessionId, completing: CompletionTarget | null, folder: string): readonly CompletionOption[] {
  const desk = useDesk()
  const typed = completing?.kind === 'path' ? completing.typed : ''
  const isAsked = typed !== '' && folder !== ''
  const { last } = useAnswer(`${folder}\n${typed}`, isAsked ? (client) => client.mcp.resources({ folder, typed }) : null)
  return isAsked ? (last?.resources ?? []).map((resource) => optionOf(desk, sessionId, folder, resource)) : NONE
}

function optionOf(desk: Desk, into: SessionId, folder: string, { server, uri, name, description }: McpResource): CompletionOption {
  return {
    id: `resource:${server}:${uri}`,
    used: `resource:${server}:${uri}`,
    words: name,
    about: `${server}  ${uri}  ${description}`.trimEnd(),
    origin: 'resource',
    text: `@${server}:${uri} `,
    run: () => void attach(desk, into, { folder, name: server, uri }),
  }
}

async function attach(desk: Desk, into: SessionId, asked: { folder: string; name: string; uri: string }): Promise<void> {
  const attached = attemptRequest(desk, 'The resource was not attached', async (client) => {
    const answer = await client.mcp.resource(asked)
    if (!answer.ok) return answer
    const text = `Resource ${asked.uri} of the MCP server ${asked.name}:\n\n${answer.text}`
    const texts = desk.draftTexts.get(into)
    if (!texts.includes(text)) desk.draftTexts.set(into, [...texts, text])
    return { ok: true }
  })
  await report(desk, attached)
}
