import { basename } from 'node:path'
import type { MachineFact } from '../../../shared/api/app.ts'
import { installCommand, missingPart } from '../copy/copy-support.ts'
import { editorsHere } from '../open-in-editor.ts'
import { launchEnvironment } from '../launch-environment.ts'
import { ownProgram } from '../own-programs/own-programs.ts'
import { findShell } from '../process/find-program.ts'

/** Programs of other agents whose sessions, servers, rules and commands Countersign can import. */
const OTHER_AGENTS = [
  ['claude', 'Claude Code'],
  ['codex', 'Codex'],
  ['gemini', 'Gemini CLI'],
] as const

/** What this computer has for the agent, and how to get what is missing. Starts a few short programs, and changes nothing. */
export async function machineFacts(): Promise<readonly MachineFact[]> {
  return [await copiesFact(), networkFact(), shellFact(), gitFact(), editorFact(), otherAgentsFact()].filter((fact) => fact !== null)
}

async function copiesFact(): Promise<MachineFact> {
  const support = await missingPart()
  const name = 'Copies'
  if (support.kind === 'present')
    return { name, state: 'there', words: 'Commands first run in a copy of the folder, and you sign what they changed.', remedy: null }
  const remedy = /^Type: (.+)$/.exec(support.wayOut)?.[1] ?? null
  const words = `Commands run in the folder itself, and ask you first. ${support.reason}${remedy === null ? ` ${support.wayOut}` : ''}`
  return { name, state: 'missing', words, remedy }
}

/** Without socat, copies work but have no network. */
function networkFact(): MachineFact | null {
  if (process.platform !== 'linux' || ownProgram('socat') !== null) return null
  return { name: 'Network', state: 'missing', words: 'Commands in a copy cannot reach any host.', remedy: installCommand(['socat']) }
}

function shellFact(): MachineFact {
  try {
    return {
      name: 'Shell',
      state: 'there',
      words: `Commands run in ${basename(findShell(undefined, launchEnvironment()['PATH']).file)}.`,
      remedy: null,
    }
  } catch (error) {
    return { name: 'Shell', state: 'missing', words: (error as Error).message, remedy: installCommand(['bash']) }
  }
}

function gitFact(): MachineFact {
  const isThere = ownProgram('git') !== null
  const words = isThere ? 'Branches, staged files and commits are shown.' : 'Without git, branches and commits are not shown.'
  return { name: 'Git', state: isThere ? 'there' : 'missing', words, remedy: isThere ? null : installCommand(['git']) }
}

function editorFact(): MachineFact {
  const { editors } = editorsHere()
  const labels = editors.map(({ label }) => label)
  return labels.length === 0
    ? { name: 'Editor', state: 'missing', words: 'No editor with a window of its own was found.', remedy: null }
    : { name: 'Editor', state: 'there', words: `Files open in ${labels.join(', ')}.`, remedy: null }
}

function otherAgentsFact(): MachineFact | null {
  const found = OTHER_AGENTS.flatMap(([program, label]) => (ownProgram(program) === null ? [] : [label]))
  if (found.length === 0) return null
  const words = `${found.join(', ')}: you can import their sessions, rules, commands and servers.`
  return { name: 'Other agents', state: 'there', words, remedy: null }
}
