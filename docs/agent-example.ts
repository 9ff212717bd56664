// Embeds the agent: an own tool, a policy, live events. Run it in a project folder with a provider's key in the environment:
//   ANTHROPIC_API_KEY=… node agent-example.ts "Mend issue 7"
import { createAgent, defineTool } from 'countersign/agent'

const ISSUES: Readonly<Record<number, string>> = { 7: 'greeting.txt should say "hello".' }

const readIssue = defineTool<{ id: number }>({
  name: 'read_issue',
  description: 'Reads an issue of our tracker by its number.',
  parameters: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'], additionalProperties: false },
  // It changes nothing, so nobody has to sign it.
  needsApproval: false,
  execute: ({ id }) => ISSUES[id] ?? `There is no issue ${id}.`,
})

const agent = await createAgent({
  cwd: process.cwd(),
  provider: 'anthropic',
  tools: [readIssue],
  policy: 'accept-edits',
  // Edits inside the folder pass, also those of commands, which run in a copy first. Whatever else would happen is refused, for example a
  // change to a file that other programs obey.
  onApproval: () => ({ refuse: 'Only edits are allowed here.' }),
})

const session = await agent.createSession()
const done = session.submit(process.argv[2] ?? 'Mend issue 7')
for await (const event of session.events()) {
  if (event.kind === 'ASSISTANT_TEXT_DELTA') process.stdout.write(event.text)
  if (event.kind === 'TOOL_CALL_START') process.stdout.write(`\n> ${event.toolName} ${JSON.stringify(event.args)}\n`)
  if (event.kind === 'TOOL_CALL_END') process.stdout.write(event.isError ? `${event.outcome}: ${event.output}\n` : 'done\n')
  if (event.kind === 'PROCESSING_END') break
}
const { ended, error } = await done
process.stdout.write(`\n${ended}${error ? `: ${error.message}` : ''}\n`)
await agent.close()
process.exitCode = ended === 'completed' ? 0 : 1
