import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import { createFolderDocuments } from '../../main/prompt/folder-documents.ts'
import { projectAgentFiles } from '../../main/prompt/project-agent-files.ts'
import { projectDocuments } from '../../main/prompt/project-documents.ts'
import { projectMemory } from '../../main/prompt/project-memory.ts'
import { expandCommand } from '../../main/slash-commands/expand-command.ts'
import { findCommands } from '../../main/slash-commands/find-commands.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Everything of a project that goes into requests without a call of the agent. */
async function textsOf(root: string): Promise<string> {
  const env = createLocalExecutionEnvironment(root)
  onTestFinished(() => env.cleanup())
  const names = ['AGENTS.md', 'CLAUDE.md']
  const subfolder = createFolderDocuments(env, root, () => names)
  const seen = { model: { provider: 'anthropic', model: '' }, compactions: 0, isSeen: () => false } as const
  const { commands } = await findCommands({ env, project: root, home: join(root, 'home'), dataFolder: join(root, 'data') })
  const parts = { env, project: root, copies: null, redactor: { text: (text: string) => text } }
  return JSON.stringify([
    (await projectDocuments(env, names, { workingDirectory: root, repository: null })).text,
    (await subfolder.of([join(root, 'sub/x.ts')], seen)).text,
    await projectMemory(env),
    await projectAgentFiles(env, root),
    await Promise.all(commands.map((command) => expandCommand(command, '', parts))),
  ])
}

/** A project with a document, a rule, an import, a note, a description of an agent, two commands and a skill, all of them ordinary. */
function project(): { readonly root: string; put(path: string, text: string): void; link(path: string, target: string): void } {
  const root = temporaryFolder('secret-links')
  const inFolder = (path: string): string => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    return join(root, path)
  }
  return {
    root,
    put: (path, text) => writeFileSync(inFolder(path), text),
    link: (path, target) => symlinkSync(relative(dirname(inFolder(path)), join(root, target)), join(root, path)),
  }
}

describe('the text of a file with secrets is in no request, although it is behind the name of', () => {
  test.each([
    ['a document', 'AGENTS.md'],
    ['a document of a subfolder', 'sub/AGENTS.md'],
    ['a rule', '.claude/rules/style.md'],
    ['an import', 'notes.md'],
    ['the memory', '.countersign/memory.md'],
    ['a description of an agent', '.claude/agents/tester.md'],
    ['a command', '.claude/commands/fix.md'],
    ['a skill', '.claude/skills/pdf/SKILL.md'],
    ['a file in a command', 'notes.md'],
  ])('%s', async (_, path) => {
    for (const secret of ['.env', 'config/id_ed25519', 'certificates/site.key', '.git/config']) {
      const { root, put, link } = project()
      put('CLAUDE.md', 'See @notes.md')
      put('.claude/commands/other.md', 'See @notes.md')
      put('plain.md', '---\nname: n\ndescription: d\n---\nPUBLIC')
      link(path, 'plain.md')
      expect(await textsOf(root)).toContain('PUBLIC')
      const other = project()
      other.put('CLAUDE.md', 'See @notes.md')
      other.put('.claude/commands/other.md', 'See @notes.md')
      other.put(secret, '---\nname: n\ndescription: d\n---\nSECRET')
      other.link(path, secret)
      expect(await textsOf(other.root)).not.toContain('SECRET')
    }
  })

  test('a link to a link', async () => {
    const { root, put, link } = project()
    put('.env.production', 'KEY=SECRET')
    link('settings', '.env.production')
    link('sub/AGENTS.md', 'settings')
    expect(await textsOf(root)).not.toContain('SECRET')
  })
})

test('a document in a folder with an ordinary name such as private is used', async () => {
  const { root, put } = project()
  put('private/AGENTS.md', 'PUBLIC')
  const env = createLocalExecutionEnvironment(root)
  onTestFinished(() => env.cleanup())
  const { text } = await projectDocuments(env, ['AGENTS.md'], { workingDirectory: join(root, 'private'), repository: root })
  expect(text).toContain('PUBLIC')
})
