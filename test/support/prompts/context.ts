import type { PromptTexts, SystemPromptContext } from '../../../main/prompt/build-system-prompt.ts'

/** An empty prompt context, for tests that set one part of it. */
export const EMPTY_CONTEXT: SystemPromptContext = {
  workingDirectory: '/w',
  repository: null,
  git: null,
  platform: 'linux',
  osVersion: '6',
  date: '2026-11-21',
  knowledge: null,
  model: 'm',
  tools: [],
  projectDocs: '',
  memory: null,
  userInstruction: null,
  approval: '',
  isSubagent: false,
  limits: { defaultCommandMs: 10_000, longCommandMs: 120_000, maxCommandMs: 600_000 },
}

export const BARE_TEXTS: PromptTexts = { base: () => 'Base.', editing: () => '', toolName: (name) => name }
