import { buildSystemPrompt, type PromptTexts } from '../prompt/build-system-prompt.ts'
import { CHECKING, commonSections, IDENTITY, joined, messages, section } from '../prompt/prompt-sections.ts'
import { OFFERED_TOOLS } from '../../shared/tools/catalogue.ts'
import type { ProviderProfile } from './family-profile.ts'
import { familyName } from './family-tool-forms.ts'

const WORK = section('How you work', [
  'Be persistent. Continue until the task is finished and checked. Do not hand back unfinished work, and do not ask for what you can find out yourself. Stop early only if the developer must decide something.',
  'Look before you change anything: search and read the code that the task concerns, its callers and its tests. Run independent reads and searches in parallel.',
  'Make the smallest change that solves the task at its root. Follow the style, names and libraries of the project. Leave unrelated problems alone and mention them at the end. Answer a question instead of turning it into a change.',
  ...CHECKING,
  'If the task is ambiguous and a wrong guess would be costly, ask. Otherwise choose an interpretation and state it.',
])

const TEXTS: PromptTexts = {
  base: (tools) =>
    joined(
      IDENTITY,
      WORK,
      ...commonSections(tools, TEXTS.editing(tools)),
      messages(
        'Before a group of tool calls, say in one short sentence what you are about to do. Do not narrate every call and do not repeat tool output.',
      ),
    ),
  editing: ({ has }) =>
    section('Editing', [
      has('read_file') && 'Read a file before you change it.',
      has('apply_patch') &&
        'Surround each change in a patch with about three unchanged lines, copied exactly. If these lines occur more than once, name the enclosing function or class after @@.',
      has('apply_patch') && 'A patch is applied completely or not at all. Put into one patch only what belongs together.',
      'Write complete code. Never abbreviate it with a comment such as "rest unchanged".',
    ]),
  toolName: (canonical) => familyName('openai', canonical),
}

/**
 * The profile for OpenAI's models: the tools that they know, patches instead of replacements, and a default time limit of ten seconds for
 * commands.
 */
export const openaiProfile: ProviderProfile = {
  id: 'openai',
  displayName: 'OpenAI',
  defaultModel: 'gpt-6.1-sol',
  toolNames: ['read_file', 'apply_patch', 'write_file', 'shell', 'grep', 'glob', ...OFFERED_TOOLS],
  supportsParallelToolCalls: true,
  buildSystemPrompt: (context) => buildSystemPrompt(TEXTS, context),
  projectDocFiles: ['AGENTS.md', '.codex/instructions.md'],
  defaultCommandTimeout: 10_000,
  longCommandTimeout: 120_000,
}
