import { buildSystemPrompt, type PromptTexts } from '../prompt/build-system-prompt.ts'
import { CHECKING, commonSections, IDENTITY, joined, messages, section } from '../prompt/prompt-sections.ts'
import { OFFERED_TOOLS } from '../../shared/tools/catalogue.ts'
import type { ProviderProfile } from './family-profile.ts'
import { familyName } from './family-tool-forms.ts'

const WORK = section('How you work', [
  'Understand before you act. Search and read the code that the task touches, its tests and its conventions. Run independent reads and searches in parallel.',
  'Do what was asked, all of it and nothing else. Mention unrelated problems instead of fixing them. Answer a question instead of turning it into a change.',
  'Fix causes, not symptoms. Write code that fits the project: its style, its names, its libraries. Do not add a dependency unless the task needs it.',
  ...CHECKING,
  'If the task is ambiguous and a wrong guess would be costly, ask. Otherwise choose a sensible interpretation and say which one.',
  'Continue until the task is finished or only the developer can decide what comes next.',
])

const TEXTS: PromptTexts = {
  base: (tools) =>
    joined(
      IDENTITY,
      WORK,
      ...commonSections(tools, TEXTS.editing(tools)),
      messages(
        'While you work, write at most one short sentence before a group of tool calls: what you do next, or what you found. Do not narrate every call.',
      ),
    ),
  editing: ({ has }) =>
    section('Editing', [
      has('read_file') && 'Read a file before you edit it.',
      has('edit_file', 'multi_edit') &&
        'Copy old_string exactly from the file, including whitespace and indentation, but without line numbers. Include just enough surrounding lines to make it unique.',
      'Write the complete new text. Never abbreviate code with a comment such as "rest unchanged".',
      has('edit_file', 'multi_edit') && 'If the text is not found, read the file again instead of guessing.',
    ]),
  toolName: (canonical) => familyName('anthropic', canonical),
}

/** The profile for Anthropic's models: the tools that they know, no patch format, and a default time limit of two minutes for commands. */
export const anthropicProfile: ProviderProfile = {
  id: 'anthropic',
  displayName: 'Anthropic',
  defaultModel: 'claude-opus-5-5',
  toolNames: [
    'read_file',
    'edit_file',
    'multi_edit',
    'write_file',
    'delete_file',
    'shell',
    'grep',
    'glob',
    'notebook_read',
    'notebook_edit',
    ...OFFERED_TOOLS,
  ],
  supportsParallelToolCalls: true,
  buildSystemPrompt: (context) => buildSystemPrompt(TEXTS, context),
  projectDocFiles: ['AGENTS.md', 'CLAUDE.md'],
  defaultCommandTimeout: 120_000,
  longCommandTimeout: 120_000,
}
