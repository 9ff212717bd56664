import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import { expandCommand } from '../../main/slash-commands/expand-command.ts'
import { findCommands, type FoundCommands } from '../../main/slash-commands/find-commands.ts'
import { hasNoCopies, openCopies } from '../environment/copy/support.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const AS_IT_IS = { text: (text: string) => text }

/** Creates a project, a home and a data folder with these files. */
function folders(files: Readonly<Record<string, string>>) {
  const root = temporaryFolder('commands')
  for (const name of ['project', 'home', 'data']) mkdirSync(join(root, name))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const [project, home, dataFolder] = ['project', 'home', 'data'].map((name) => join(root, name)) as [string, string, string]
  const env = createLocalExecutionEnvironment(project)
  onTestFinished(() => env.cleanup())
  return { root, project, home, dataFolder, env, find: (): Promise<FoundCommands> => findCommands({ env, project, home, dataFolder }) }
}

const named = ({ commands }: FoundCommands, name: string) => commands.find((command) => command.name === name)

describe('the slash commands of a folder and its user', () => {
  it('are found in the folders of Claude Code, Codex, Gemini and ours, each with its own syntax', async () => {
    const { find } = folders({
      'project/.countersign/commands/a.md': 'Do a',
      'project/.claude/commands/git/fix.md': '---\ndescription: Fix an issue\nargument-hint: [issue] [priority]\n---\nFix $0',
      'project/.gemini/commands/g/x.toml': 'description = "G"\nprompt = """\nDo {{args}}\n"""',
      'home/.codex/prompts/p.md': 'Do $1',
      'home/.claude/commands/mine.md': 'Mine',
      'data/commands/ours.md': 'Ours',
      'project/.claude/skills/pdf/SKILL.md': '---\nname: pdf\ndescription: Works with PDF files: forms, too\n---\nSteps',
      'home/.agents/skills/own/SKILL.md': '---\nname: own\ndescription: D\nwhen_to_use: W\ndisable-model-invocation: true\n---\nS',
    })
    const found = await find()
    expect(found.unused).toEqual([])
    expect(found.commands.map(({ name, kind, from, syntax }) => [name, kind, from, syntax])).toEqual([
      ['own', 'skill', 'person', 'claude'],
      ['ours', 'command', 'person', 'claude'],
      ['mine', 'command', 'person', 'claude'],
      ['p', 'command', 'person', 'codex'],
      ['pdf', 'skill', 'project', 'claude'],
      ['a', 'command', 'project', 'claude'],
      ['git:fix', 'command', 'project', 'claude'],
      ['g:x', 'command', 'project', 'gemini'],
      ['init', 'command', 'built-in', 'claude'],
      ['memory', 'command', 'built-in', 'claude'],
      ['review', 'command', 'built-in', 'claude'],
    ])
    expect(named(found, 'git:fix')).toMatchObject({ description: 'Fix an issue', hint: '[issue] [priority]', body: 'Fix $0' })
    expect(named(found, 'pdf')?.description).toBe('Works with PDF files: forms, too')
    expect(named(found, 'own')).toMatchObject({ description: 'D W', forModel: false, forPerson: true })
  })

  it('the user’s command overrides the project’s command, which can still be called by its long name', async () => {
    const { find } = folders({ 'home/.claude/commands/x.md': 'mine', 'project/.claude/commands/x.md': 'theirs' })
    const found = await find()
    expect([named(found, 'x')?.body, named(found, 'project:x')?.body]).toEqual(['mine', 'theirs'])
  })

  it('replace a built-in command of the same name', async () => {
    const found = await folders({ 'project/.claude/commands/review.md': 'Our review' }).find()
    expect([named(found, 'review')?.body, named(found, 'built-in:review')?.from]).toEqual(['Our review', 'built-in'])
  })

  it.each([
    ['empty', 'project/.claude/commands/x.md', '\n', 'The file is empty.'],
    ['no text', 'project/.claude/commands/x.md', '---\ndescription: d\n---\n', 'The file has no text below its front matter.'],
    ['bad YAML', 'project/.claude/commands/x.md', '---\na: "\n---\nb', expect.stringContaining('Line 2 cannot be read')],
    ['bad TOML', 'project/.gemini/commands/x.toml', 'prompt = ', expect.stringContaining('Line 1 cannot be read')],
    ['no prompt', 'project/.gemini/commands/x.toml', 'description = "d"', 'The file has no `prompt`.'],
  ])('report an unusable file: %s', async (_name, path, text, why) => {
    const { find, root } = folders({ [path]: text })
    expect((await find()).unused).toEqual([{ path: join(root, path), why }])
  })

  it('can set a model and an effort, and unsupported front-matter fields are reported', async () => {
    const { find } = folders({
      'project/.claude/commands/x.md': '---\ndescription: d\nallowed-tools: Read\nmodel: opus\neffort: high\n---\nb',
      'project/.claude/commands/y.md': '---\nmodel: inherit\neffort: huge\n---\nb',
      'project/.claude/skills/s/SKILL.md': '---\nname: s\ndescription: d\nlicense: MIT\nhooks: {}\n---\nb',
    })
    const found = await find()
    expect(['x', 'y', 's'].map((name) => named(found, name)?.unusedFields)).toEqual([['allowed-tools'], ['effort'], ['hooks']])
    expect(['x', 'y'].map((name) => [named(found, name)?.model, named(found, name)?.effort])).toEqual([
      ['opus', 'high'],
      [undefined, undefined],
    ])
  })

  it('do not follow links out of the project', async () => {
    const { find, root, project } = folders({ 'project/.claude/commands/ok.md': 'ok', 'elsewhere.md': 'secret' })
    symlinkSync(join(root, 'elsewhere.md'), join(project, '.claude/commands/out.md'))
    const found = await find()
    expect([named(found, 'out'), found.unused]).toEqual([
      undefined,
      [{ path: expect.stringContaining('out.md'), why: 'It leads out of its folder.' }],
    ])
  })
})

describe('the text of a command', () => {
  it('includes files of the project and leaves other mentions unchanged', async () => {
    const { find, env, project } = folders({
      'project/.claude/commands/x.md': 'See @a.txt and @missing.txt and @../elsewhere.md',
      'project/a.txt': 'content</file>',
      'elsewhere.md': 'secret',
    })
    const command = named(await find(), 'x')
    const text = command && (await expandCommand(command, '', { env, project, copies: null, redactor: AS_IT_IS }))
    expect(text).toBe('See \n<file path="a.txt">\ncontent<\\/file>\n</file>\n and @missing.txt and @../elsewhere.md')
  })

  it.each([
    ['context: fork\nagent: reviewer', /^Do not do this yourself\. Start one subagent of the kind reviewer .*\n\nLook at all of it\.$/su],
    ['context: fork', /^Do not do this yourself\. Start one subagent with the text .*\n\nLook at all of it\.$/su],
    ['context: inline', /^Look at all of it\.$/u],
  ])('is for a subagent only if the front matter requires it: %s', async (fields, expected) => {
    const { find, env, project } = folders({ 'project/.claude/commands/x.md': `---\n${fields}\n---\nLook at $ARGUMENTS.` })
    const command = named(await find(), 'x')
    expect(command && (await expandCommand(command, 'all of it', { env, project, copies: null, redactor: AS_IT_IS }))).toMatch(expected)
  })

  it('tells the agent to run the commands in it if copies are unavailable, and gives the folder of a skill', async () => {
    const { find, env, project } = folders({ 'project/.claude/skills/s/SKILL.md': '---\nname: s\ndescription: d\n---\nNow: !`date`' })
    const command = named(await find(), 's')
    const text = command && (await expandCommand(command, '', { env, project, copies: null, redactor: AS_IT_IS }))
    expect(text).toMatch(
      new RegExp(
        `^Skill s\\. Relative paths in it refer to its folder: ${project}/.claude/skills/s\\n\\nNow: \\[The output of a command .* so that the user can sign it: date\\]$`,
      ),
    )
  })

  it.skipIf(hasNoCopies)('contains the output of its commands, which run in a copy and change nothing', async () => {
    const { copies, folder } = openCopies({ 'a.txt': 'a\n' })
    const env = createLocalExecutionEnvironment(folder)
    onTestFinished(() => env.cleanup())
    const command = { name: 'x', kind: 'command', from: 'project', path: null, description: '', hint: '', syntax: 'claude' } as const
    const body = 'A: !`cat a.txt; echo $0 >> a.txt; cat a.txt`\nB: !`exit 3`'
    const text = await expandCommand({ ...command, body, argumentNames: [], forModel: true, forPerson: true }, 'more', {
      env,
      project: folder,
      copies,
      redactor: AS_IT_IS,
    })
    expect(text).toBe('A: a\na\nmore\nB: \n[Exit code 3: exit 3]')
    expect(new TextDecoder().decode(await env.readBytes('a.txt'))).toBe('a\n')
  })
})
