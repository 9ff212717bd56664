import type { EnvironmentFacts } from './environment-facts.ts'

/** Everything that a system prompt is made of. Equal contexts make equal prompts, so that one can be stored by its hash and used again. */
export interface SystemPromptContext extends EnvironmentFacts {
  readonly model: string
  /** Until when the model knows the world; null: unknown. */
  readonly knowledge: string | null
  /** Canonical names of the tools that the session has. */
  readonly tools: readonly string[]
  /** As `projectDocuments` puts them together; empty: none, or the folder is not trusted. */
  readonly projectDocs: string
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

function environmentLayer({ workingDirectory, repository, platform, osVersion, date, model, knowledge }: SystemPromptContext): string {
  const lines = [
    `Working directory: ${workingDirectory}`,
    `Git repository: ${repository === null ? 'no' : repository === workingDirectory ? 'yes' : `yes, its root is ${repository}`}`,
    `Platform: ${platform}`,
    `OS version: ${osVersion}`,
    `Date at the start of the session: ${date}`,
    `Model: ${model}`,
    ...(knowledge === null ? [] : [`The model's knowledge ends: ${knowledge}`]),
  ]
  return `<environment>\n${lines.join('\n')}\n</environment>`
}

function toolsLayer(texts: PromptTexts, { tools }: SystemPromptContext): string {
  const known = tools.flatMap((name) => {
    const text = texts.tools[name]
    return text === undefined ? [] : [`- ${name}: ${text}`]
  })
  return known.length === 0 ? '' : `# Tools\n\n${known.join('\n')}`
}

function docsLayer({ projectDocs }: SystemPromptContext): string {
  if (projectDocs === '') return ''
  return `# Project instructions\n\nFrom the project's own files, outermost folder first; where they differ, the later one holds.\n\n${projectDocs}`
}

function userLayer({ userInstruction }: SystemPromptContext): string {
  const text = userInstruction?.trim() ?? ''
  return text === '' ? '' : `# Instructions of the user\n\nThese come before everything above.\n\n${text}`
}
