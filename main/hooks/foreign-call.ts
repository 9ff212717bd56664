import { resolve } from 'node:path'
import type { JsonValue } from '../../shared/session/content.ts'
import type { Hook } from '../../shared/session/hooks.ts'
import { applyPatchSpec } from '../../shared/tools/built-in/apply-patch.ts'
import { ALL_TOOLS } from '../../shared/tools/catalogue.ts'
import { deleteFileSpec, writeFileSpec } from '../../shared/tools/built-in/write-file.ts'
import { editFileSpec, multiEditSpec } from '../../shared/tools/built-in/edit-file.ts'
import { fieldOf, listOf, textOf } from '../../shared/tools/spec/call-line.ts'
import { otherNamesOf } from '../../shared/tools/spec/tool-spec.ts'
import { spawnAgentSpec, taskSpec } from '../../shared/tools/built-in/subagents.ts'
import { parsePatch } from '../tools/patch/parse-patch.ts'
import type { PatchOperation } from '../tools/patch/patch-model.ts'
import { geminiTool } from './gemini-hooks.ts'

type Arguments = { readonly [key: string]: JsonValue }

/** A call, or the part of a call that concerns one file, in the form in which another agent would make it. */
export interface ForeignCall {
  readonly toolName: string
  /** Other names that a matcher may use for the tool. */
  readonly otherNames: readonly string[]
  readonly input: Arguments
  /** True if the form shows only a part of the call. A hook that gets such a form cannot replace the call's arguments. */
  readonly isPart?: true
}

interface CanonicalCall {
  /** Our tool name. */
  readonly toolName: string
  readonly args: Arguments
}

/**
 * Returns the forms in which a hook can see a call: one list per affected file, with alternative forms of the same change. The hook gets
 * the first form in each list that its matcher accepts. Hooks of Claude Code guard files by `file_path`, so a call that edits several files
 * has one list per file. If no form fits a hook, the caller tries `wholeForm`.
 */
export function foreignForms(call: CanonicalCall, cwd: string, dialect: Hook['dialect']): readonly (readonly ForeignCall[])[] {
  if (dialect === 'codex') return [[codexForm(call)]]
  if (dialect === 'gemini') return geminiForms(call, cwd)
  const at = (path: string): string => (path.startsWith('~') ? path : resolve(cwd, path))
  switch (call.toolName) {
    case applyPatchSpec.name:
      return patchForms(textOf(call.args['patch']), at)
    case multiEditSpec.name:
      return multiEditForms(listOf(call.args['edits']), at)
    case deleteFileSpec.name:
      return [deletion(at(textOf(call.args['file_path'])))]
    default:
      return [[wholeForm(call, cwd)]]
  }
}

/** The entire call as one `ForeignCall`, not split into several. */
export function wholeForm({ toolName, args }: CanonicalCall, cwd: string): ForeignCall {
  const names = foreignNames(toolName)
  return { toolName: names[0] ?? toolName, otherNames: [...names, toolName], input: foreignInput(toolName, args, cwd) }
}

/** Converts the argument names in a hook's answer to our names. */
export function canonicalInput(input: Arguments): Arguments {
  const { timeout, ...others } = input
  return timeout === undefined ? others : { ...others, timeout_ms: timeout }
}

const isForeign = (name: string): boolean => /^[A-Z]/u.test(name)

/** Claude Code's names for a tool, newest first. They begin with a capital letter. Empty if it has no such tool. */
function foreignNames(toolName: string): readonly string[] {
  if (STARTS_AGENT.has(toolName)) return ['Agent', 'Task']
  const spec = ALL_TOOLS.find(({ name }) => name === toolName)
  return spec ? otherNamesOf(spec).filter(isForeign) : []
}

const STARTS_AGENT: ReadonlySet<string> = new Set([taskSpec.name, spawnAgentSpec.name])
const EDIT = foreignNames(editFileSpec.name)[0] ?? ''
const WRITE = foreignNames(writeFileSpec.name)[0] ?? ''
const MULTI_EDIT = foreignNames(multiEditSpec.name)[0] ?? ''

/** Arguments that are paths. Claude Code uses absolute paths. */
const PATHS: ReadonlySet<string> = new Set(['file_path', 'notebook_path', 'path'])
/** Our argument names, each with Claude Code's name. */
const RENAMED: Readonly<Record<string, string>> = { timeout_ms: 'timeout' }
const RENAMED_OF_AGENT: Readonly<Record<string, string>> = { agent_type: 'subagent_type', task: 'prompt' }

function foreignInput(toolName: string, args: Arguments, cwd: string): Arguments {
  if (!ALL_TOOLS.some(({ name }) => name === toolName)) return args
  const renamed = STARTS_AGENT.has(toolName) ? RENAMED_OF_AGENT : RENAMED
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      const isPath = PATHS.has(name) && typeof value === 'string' && value !== '' && !value.startsWith('~')
      return [renamed[name] ?? name, isPath ? resolve(cwd, value) : value]
    }),
  )
}

/** Gemini's file tools work on one file per call, as Claude Code's do. */
function geminiForms(call: CanonicalCall, cwd: string): readonly (readonly ForeignCall[])[] {
  return foreignForms(call, cwd, undefined).map((forms) =>
    forms.map((form) => {
      const own = form.toolName === WRITE ? writeFileSpec.name : form.isPart ? editFileSpec.name : call.toolName
      return { ...form, toolName: geminiTool(own), otherNames: form.isPart ? form.otherNames : [call.toolName] }
    }),
  )
}

/** Codex has one tool for commands and one for edits. Codex's matchers can also refer to the edit tool as `Edit` or `Write`. */
function codexForm({ toolName, args }: CanonicalCall): ForeignCall {
  if (toolName === applyPatchSpec.name) return { toolName, otherNames: [EDIT, WRITE], input: { command: args['patch'] ?? '' } }
  return { toolName: foreignNames(toolName)[0] ?? toolName, otherNames: [toolName], input: args }
}

type At = (path: string) => string

/** A patch that cannot be parsed changes nothing, so it has no forms. */
function patchForms(patch: string, at: At): readonly (readonly ForeignCall[])[] {
  const parsed = parsePatch(patch)
  return parsed.ok ? parsed.value.flatMap((operation) => operationForms(operation, at)) : []
}

function operationForms(operation: PatchOperation, at: At): readonly (readonly ForeignCall[])[] {
  const path = at(operation.path)
  switch (operation.kind) {
    case 'add':
      return [[{ toolName: WRITE, otherNames: [EDIT], input: { file_path: path, content: operation.content }, isPart: true }]]
    case 'delete':
      return [deletion(path)]
    case 'update': {
      const edits = operation.hunks.map(({ lines }) => ({
        old_string: textOfLines(lines, 'add'),
        new_string: textOfLines(lines, 'remove'),
      }))
      const files = operation.moveTo === null ? [path] : [path, at(operation.moveTo)]
      return files.map((file) => editForms(file, edits))
    }
  }
}

type HunkLines = Extract<PatchOperation, { kind: 'update' }>['hunks'][number]['lines']

const textOfLines = (lines: HunkLines, without: 'add' | 'remove'): string =>
  lines
    .filter(({ kind }) => kind !== without)
    .map(({ text }) => text)
    .join('\n')

interface Edit {
  readonly [key: string]: JsonValue
  readonly old_string: string
  readonly new_string: string
}

/** One Edit form if there is one edit, otherwise one MultiEdit form for all edits of the file. */
function editForms(file: string, edits: readonly Edit[]): readonly ForeignCall[] {
  const multi: ForeignCall = { toolName: MULTI_EDIT, otherNames: [EDIT, WRITE], input: { file_path: file, edits }, isPart: true }
  const [only, ...others] = edits
  if (only === undefined || others.length > 0) return [multi]
  return [{ toolName: EDIT, otherNames: [WRITE], input: { file_path: file, ...only }, isPart: true }, multi]
}

/** No other agent has a tool that deletes files. A deletion is shown as an edit that leaves an empty file. */
const deletion = (path: string): readonly ForeignCall[] => [
  {
    toolName: EDIT,
    otherNames: [WRITE, deleteFileSpec.name],
    isPart: true,
    input: { file_path: path, old_string: '', new_string: '' },
  },
]

/** If all edits are in one file, the form is a complete MultiEdit call. Otherwise each file has a form that is only a part of the call. */
function multiEditForms(edits: readonly JsonValue[], at: At): readonly (readonly ForeignCall[])[] {
  const byFile = new Map<string, JsonValue[]>()
  for (const edit of edits) {
    const path = at(textOf(fieldOf(edit, 'file_path')))
    const { file_path: _, ...rest } = edit as Arguments
    byFile.set(path, [...(byFile.get(path) ?? []), rest])
  }
  return [...byFile].map(([file, some]) => [
    {
      toolName: MULTI_EDIT,
      otherNames: [EDIT, multiEditSpec.name],
      input: { file_path: file, edits: some },
      ...(byFile.size > 1 && { isPart: true }),
    },
  ])
}
