import { buildSystemPrompt, type PromptTexts } from '../prompt/build-system-prompt.ts'
import { CHECKING, commonSections, IDENTITY, joined, messages, section } from '../prompt/prompt-sections.ts'
import { OFFERED_TOOLS } from '../../shared/tools/catalogue.ts'
import type { ProviderProfile } from './family-profile.ts'
import { familyName } from './family-tool-forms.ts'

const WORK = `# How you work
Work in this order, and return to an earlier step if a later one shows that you were wrong.
1. Understand. Search and read what the task touches, several files in parallel. Do not assume that a library, file or function exists: look.
2. Plan. Say in a sentence or two what you will do and how you will check it.
3. Implement. Take small steps that follow the style, names and libraries of the project. Do all of what was asked and nothing else.
4. Check, as described below.
5. Report, as described below.`

const RULES = section('Rules', [
  ...CHECKING,
  'Answer a question instead of turning it into a change. If the task is ambiguous and a wrong guess would be costly, ask.',
  'Do not stop to announce what comes next. Continue until the task is finished or only the developer can decide what comes next.',
])

const TEXTS: PromptTexts = {
  base: (tools) =>
    joined(
      IDENTITY,
      WORK,
      RULES,
      ...commonSections(tools, TEXTS.editing(tools)),
      messages('While you work, write at most one short sentence before a group of tool calls. Do not narrate every call.'),
    ),
  editing: ({ has }) =>
    section('Editing', [
      has('read_file') && 'Read a file before you edit it.',
      has('edit_file') &&
        'Copy old_string exactly from the file, including whitespace and indentation, but without line numbers. Include at least three lines before and after the change, so that it occurs only once.',
      'Write the complete new text. Never abbreviate code with an ellipsis or a comment such as "rest unchanged".',
      has('edit_file') && 'If the text is not found, read the file again instead of guessing. After two misses, replace a smaller piece.',
    ]),
  toolName: (canonical) => familyName('gemini', canonical),
}

/**
 * The profile for Gemini's models: the tools that they know, including one that reads many files, and a default time limit of ten seconds
 * for commands.
 */
export const geminiProfile: ProviderProfile = {
  id: 'gemini',
  displayName: 'Gemini',
  defaultModel: 'gemini-3.1-pro-preview',
  toolNames: ['read_file', 'read_many_files', 'write_file', 'edit_file', 'shell', 'grep', 'glob', 'list_dir', ...OFFERED_TOOLS],
  supportsParallelToolCalls: true,
  buildSystemPrompt: (context) => buildSystemPrompt(TEXTS, context),
  projectDocFiles: ['AGENTS.md', 'GEMINI.md'],
  defaultCommandTimeout: 10_000,
  longCommandTimeout: 120_000,
}
