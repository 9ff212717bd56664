import { expect, test } from 'vitest'
import { countChangedLinesInSlices } from '../../main/changes/count-changed-lines.ts'
import { profileForModel } from '../../main/model-families/profile-for-model.ts'
import { createToolSets } from '../../main/compose/tool-sets.ts'
import { createTools } from '../../main/tools/create-tools.ts'

const tools = createTools({ countLines: countChangedLinesInSlices })
const toolSets = (given: Parameters<typeof createToolSets>[0]['given']) =>
  createToolSets({ tools, own: [], given, commandLimitMs: () => undefined })
/**
 * The names of D-51 for our built-in tools, with the tools that they mean. Left out: Task, which is added only with subagents, and
 * SlashCommand, which reports that there are no slash commands.
 */
const NAMES = {
  Read: 'read_file',
  Write: 'write_file',
  Edit: 'edit_file',
  MultiEdit: 'multi_edit',
  Glob: 'glob',
  Grep: 'grep',
  LS: 'list_dir',
  list_dir: 'list_dir',
  Bash: 'bash',
  BashOutput: 'bash_output',
  KillShell: 'kill_shell',
  TodoWrite: 'todo_write',
  TodoRead: 'todo_read',
  WebFetch: 'web_fetch',
  WebSearch: 'web_search',
  NotebookRead: 'notebook_read',
  NotebookEdit: 'notebook_edit',
  exit_plan_mode: 'exit_plan_mode',
  delete_file: 'delete_file',
  apply_patch: 'apply_patch',
}

test.each(['anthropic', 'openai', 'gemini', 'rehearsal', 'openai-compatible'] as const)(
  'D-51: %s offers the tools of its profile and accepts every name that models know',
  (provider) => {
    const { registry } = toolSets(null)({ provider, model: '' })
    expect(Object.fromEntries(Object.keys(NAMES).map((name) => [name, registry.get(name)?.definition.name]))).toEqual(NAMES)
    const offered = registry.list().map(({ definition }) => definition.name)
    expect(offered.toSorted()).toEqual(
      tools
        .map(({ definition }) => definition.name)
        .filter((name) => profileForModel(provider).toolNames.includes(name))
        .toSorted(),
    )
  },
)

test('a subagent limited to reading or to a list of tools accepts no tool outside that limit, under any name', () => {
  const reading = toolSets({ readsOnly: true })({ provider: 'anthropic', model: '' }).registry
  expect(['LS', 'Edit', 'apply_patch', 'Bash'].map((name) => reading.get(name)?.definition.name)).toEqual([
    'list_dir',
    undefined,
    undefined,
    undefined,
  ])
  const two = toolSets({ readsOnly: false, tools: ['grep', 'edit_file'] })({ provider: 'openai', model: '' }).registry
  expect(['Grep', 'Edit', 'LS', 'Bash'].map((name) => two.get(name)?.definition.name)).toEqual(['grep', 'edit_file', undefined, undefined])
})
