import type { CommandLimits } from '../agent/ports/tool.ts'
import type { EnvironmentFacts } from './environment-facts.ts'
import type { GitSnapshot } from './git-snapshot.ts'
import { MEMORY_FILE } from './project-memory.ts'
import { mayEdit, subagentBase, type ToldTools } from './prompt-sections.ts'
import { toolUseLines } from './tool-uses.ts'

/** The inputs of a system prompt. Equal inputs give equal prompts, so that a prompt can be stored by its hash and reused. */
export interface SystemPromptContext extends EnvironmentFacts {
  readonly model: string
  /** Knowledge cutoff of the model; null if unknown. */
  readonly knowledge: string | null
  /** Canonical names of the session's tools, in the order in which they are offered. */
  readonly tools: readonly string[]
  /** The result of `projectDocuments`; empty if there are no documents or the folder is not trusted. */
  readonly projectDocs: string
  /** The result of `projectMemory`. Empty if nothing is stored yet, null if the session has no memory. */
  readonly memory: string | null
  readonly userInstruction: string | null
  /** How long commands may run. */
  readonly limits: CommandLimits
  /** The result of `approvalText`. If empty, the prompt leaves this section out. */
  readonly approval: string
  /** Whether to use our own tool names instead of the family's. */
  readonly canonicalNames?: boolean
  /** Whether the session is a subagent: another agent gave it the task and receives its answer. */
  readonly isSubagent: boolean
}

/** The parts of a prompt that differ between profiles. */
export interface PromptTexts {
  /** Describes who the agent is and how it works, for a session with these tools. */
  base(tools: ToldTools): string
  /** Describes how files are edited. */
  editing(tools: ToldTools): string
  /** The model's name for a tool. */
  toolName(canonical: string): string
}

/** Joins the layers. The user's own instructions come last, so that they take precedence. */
export function buildSystemPrompt(texts: PromptTexts, context: SystemPromptContext): string {
  const names = new Set(context.tools)
  const tools: ToldTools = {
    has: (...some) => some.some((name) => names.has(name)),
    name: context.canonicalNames ? (name) => name : texts.toolName,
    limits: context.limits,
  }
  const base = context.isSubagent ? subagentBase(tools, texts.editing(tools)) : texts.base(tools)
  const layers = [
    base.trim(),
    environmentLayer(context),
    toolsLayer(toolUseLines(context.tools, tools)),
    context.approval === '' ? '' : `# Approval mode\n\n${context.approval}`,
    docsLayer(context, mayEdit(tools) && !context.isSubagent),
    userLayer(context),
  ]
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
    ...(knowledge === null ? [] : [`Knowledge cutoff of the model: ${knowledge}`]),
  ]
  return `<environment>\n${lines.join('\n')}\n</environment>`
}

/** Describes the repository at the start of the session. The agent can look up later changes with git. */
function gitLines({ branch, changed, untracked, commits }: GitSnapshot): readonly string[] {
  return [
    `Git branch at the start: ${branch === null ? 'none (detached HEAD)' : oneLine(branch)}`,
    `Changed files at the start: ${changed}, untracked: ${untracked}`,
    ...(commits.length === 0 ? [] : ['Latest commits:', ...commits.map((subject) => `- ${oneLine(subject)}`)]),
  ]
}

/** Keeps untrusted text on one line and prevents it from ending its block. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').replaceAll('</', '<\\/')
}

function toolsLayer(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `# Tools\n\n${lines.join('\n')}`
}

/** The layer with the project's instructions and its memory. */
function docsLayer({ projectDocs, memory }: SystemPromptContext, canEdit: boolean): string {
  return [documentsText(projectDocs), memory === null ? '' : memoryText(memory, canEdit)].filter((text) => text !== '').join('\n\n')
}

function memoryText(memory: string, canEdit: boolean): string {
  const content = memory === '' ? '' : `Its content when this session began:\n<memory>\n${memory}\n</memory>`
  if (!canEdit) return memory === '' ? '' : `# Memory\n\n\`${MEMORY_FILE}\` keeps notes about this project between sessions. ${content}`
  return `# Memory

\`${MEMORY_FILE}\` keeps notes about this project between sessions. If the developer asks you to remember something, or if you learned something that later sessions need (a command that works, a rule, a pitfall), propose an edit of that file: one plain line at the end. Correct or remove notes that are no longer true. The developer may refuse; then do not insist. Never write secrets or details of the current task into it. ${content === '' ? 'It is empty so far.' : content}`
}

function documentsText(projectDocs: string): string {
  if (projectDocs === '') return ''
  return `# Project instructions\n\nFrom the project's own files, outermost folder first. If they conflict, the later one wins.\n\n${projectDocs}`
}

function userLayer({ userInstruction }: SystemPromptContext): string {
  const text = userInstruction?.trim() ?? ''
  return text === '' ? '' : `# User instructions\n\nThese override everything above.\n\n${text}`
}

/** Patterns that match the project's documents and memory in our prompts. */
const DOCUMENTS = /^# Project instructions\n\nFrom the project's own files[\s\S]*^<\/document>$/m
const MEMORY = /^<memory>\n[\s\S]*^<\/memory>$/m

/** Counts the characters of a system prompt: those of the project's documents and memory as `documents`, and all others as `prompt`. */
export function promptParts(system: string): { readonly prompt: number; readonly documents: number } {
  const documents = (DOCUMENTS.exec(system)?.[0].length ?? 0) + (MEMORY.exec(system.replace(DOCUMENTS, ''))?.[0].length ?? 0)
  return { prompt: system.length - documents, documents }
}
