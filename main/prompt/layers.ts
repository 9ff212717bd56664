import type { EnvironmentFacts } from './environment-facts.ts'
import type { GitSnapshot } from './git-snapshot.ts'
import { MEMORY_FILE } from './project-memory.ts'

/** Everything that a system prompt is made of. Equal contexts make equal prompts, so that one can be stored by its hash and used again. */
export interface SystemPromptContext extends EnvironmentFacts {
  readonly model: string
  /** Until when the model knows the world; null: unknown. */
  readonly knowledge: string | null
  /** Canonical names of the tools that the session has. */
  readonly tools: readonly string[]
  /** As `projectDocuments` puts them together; empty: none, or the folder is not trusted. */
  readonly projectDocs: string
  /** As `projectMemory` gives it, empty where nothing is kept yet; null: the session knows of no memory. */
  readonly memory: string | null
  readonly userInstruction: string | null
}

/** The parts of a profile's prompt that are its own. */
export interface PromptTexts {
  readonly base: string
  /** One paragraph for each tool, by canonical name. */
  readonly tools: Readonly<Record<string, string>>
}

/** The five layers (S-33), the person's own instructions last, so that they win. */
export function buildSystemPrompt(texts: PromptTexts, context: SystemPromptContext): string {
  const layers = [texts.base.trim(), environmentLayer(context), toolsLayer(texts, context), docsLayer(context), userLayer(context)]
  return layers.filter((layer) => layer !== '').join('\n\n')
}

function environmentLayer(context: SystemPromptContext): string {
  const { workingDirectory, repository, git, platform, osVersion, date, model, knowledge } = context
  const lines = [
    `Working directory: ${workingDirectory}`,
    `Git repository: ${repository === null ? 'no' : repository === workingDirectory ? 'yes' : `yes, its root is ${repository}`}`,
    ...(git === null ? [] : gitLines(git)),
    `Platform: ${platform}`,
    `OS version: ${osVersion}`,
    `Date at the start of the session: ${date}`,
    `Model: ${model}`,
    ...(knowledge === null ? [] : [`The model's knowledge ends: ${knowledge}`]),
  ]
  return `<environment>\n${lines.join('\n')}\n</environment>`
}

/** As it stood at the start: later changes are for the agent to look up (S-35). */
function gitLines({ branch, changed, untracked, commits }: GitSnapshot): readonly string[] {
  return [
    `Git branch at the start: ${branch === null ? 'none (detached HEAD)' : oneLine(branch)}`,
    `Changed files at the start: ${changed}, untracked: ${untracked}`,
    ...(commits.length === 0 ? [] : ['Newest commits:', ...commits.map((subject) => `- ${oneLine(subject)}`)]),
  ]
}

/** What anybody may have written stays in its line and cannot end the block that it stands in (C15). */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').replaceAll('</', '<\\/')
}

function toolsLayer(texts: PromptTexts, { tools }: SystemPromptContext): string {
  const known = tools.flatMap((name) => {
    const text = texts.tools[name]
    return text === undefined ? [] : [`- ${name}: ${text}`]
  })
  return known.length === 0 ? '' : `# Tools\n\n${known.join('\n')}`
}

/** What the project says, and what was learnt of it. */
function docsLayer({ projectDocs, memory }: SystemPromptContext): string {
  return [documentsText(projectDocs), memory === null ? '' : memoryText(memory)].filter((text) => text !== '').join('\n\n')
}

function memoryText(memory: string): string {
  const now = memory === '' ? 'There is nothing in it yet.' : `When this session began it said:\n<memory>\n${memory}\n</memory>`
  return `# Memory

\`${MEMORY_FILE}\` is what you know of this project from one session to the next. When the developer asks you to remember something (or writes /remember), or when you learnt at some cost what every later session needs (a command that works, a rule, a trap), propose an edit of that file: one plain line at its end. Correct or delete what no longer holds instead of piling up. The developer signs each such edit, and may refuse it; then let it be. Keys, passwords and what concerns this one task alone never go there. ${now}`
}

function documentsText(projectDocs: string): string {
  if (projectDocs === '') return ''
  return `# Project instructions\n\nFrom the project's own files, outermost folder first; where they differ, the later one holds.\n\n${projectDocs}`
}

function userLayer({ userInstruction }: SystemPromptContext): string {
  const text = userInstruction?.trim() ?? ''
  return text === '' ? '' : `# Instructions of the user\n\nThese come before everything above.\n\n${text}`
}
