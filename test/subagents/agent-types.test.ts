import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createRecord } from '../../main/agent/record/session-record.ts'
import { createApp } from '../../main/compose/app.ts'
import { systemClock } from '../../main/environment/system-clock.ts'
import { readAgentFile } from '../../main/subagents/agent-file.ts'
import { createShownNotices } from '../../main/sessions/shown-notices.ts'
import { createNews } from '../../main/subagents/turn-start-news.ts'
import { meantTools } from '../../shared/tools/catalogue.ts'
import { openedInMemory, session } from '../store/support/stores.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { type Family, openFamily } from './support/family.ts'

const file = (facts: string, body = 'Do it well.') => `---\n${facts}\n---\n${body}\n`
const read = (text: string) => readAgentFile('stem', text, meantTools)
const type = { name: 'reviewer', description: 'Reviews.', prompt: 'Do it well.' }
const NAMED = 'name: reviewer\ndescription: Reviews.'

describe('an agent file', () => {
  test.each([
    ['without rights is read-only', NAMED, { readsOnly: true, tools: null, mode: null }],
    ['can list tools by other agents’ names', `${NAMED}\ntools: Read, Grep`, { readsOnly: true, tools: ['read_file', 'grep'], mode: null }],
    ['can list tools in lowercase', `${NAMED}\ntools: read, edit`, { readsOnly: false, tools: ['read_file', 'edit_file'], mode: null }],
    [
      'that lists a writing tool is not read-only',
      `${NAMED}\ntools: [Read, Bash]`,
      { readsOnly: false, tools: ['read_file', 'bash', 'shell'], mode: null },
    ],
    [
      'that only excludes tools has all others',
      `${NAMED}\ndisallowedTools: Bash, mcp__github`,
      { readsOnly: false, tools: null, excludedTools: ['bash', 'shell', 'mcp__github'], mode: null },
    ],
    ['can list all tools', `${NAMED}\ntools: "*"`, { readsOnly: false, tools: null, mode: null }],
    [
      'with a mode has all tools that the mode allows',
      `${NAMED}\nmode: accept-edits`,
      { readsOnly: false, tools: null, mode: 'accept-edits' },
    ],
    [
      'in plan mode is read-only, whatever tools it lists',
      `${NAMED}\nmode: plan\ntools: shell`,
      { readsOnly: true, tools: ['shell'], mode: 'plan' },
    ],
    [
      'can contain a multi-line list, comments and other agents’ fields',
      `# ours\n${NAMED}\ntools:\n  - grep\n  - 'glob'\ncolor: blue`,
      { readsOnly: true, tools: ['grep', 'glob'], mode: null },
    ],
    [
      'can contain folded text, a list of all tools and its parent’s model',
      'name: reviewer\ndescription: >-\n  Reviews.\ntools: ["*"]\nmodel: inherit',
      { readsOnly: false, tools: null, mode: null },
    ],
  ])('%s', async (_, facts, rights) => {
    for (const text of [file(facts), `\uFEFF${file(facts).replaceAll('\n', '\r\n')}`])
      expect(await read(text)).toEqual({ ok: true, value: { type: { ...type, ...rights }, unusedFields: [], unknownTools: [] } })
  })

  test('gets its name from the file name if it has none, and unknown tools are reported', async () => {
    expect(await read(file('description: "Reviews."\ntools: Read, Teleport'))).toEqual({
      ok: true,
      value: {
        type: { ...type, name: 'stem', readsOnly: true, tools: ['read_file'], mode: null },
        unusedFields: [],
        unknownTools: ['Teleport'],
      },
    })
  })

  test.each([
    ['without a list of tools has all tools', NAMED, { readsOnly: false, tools: null, mode: null }, [], []],
    ['in plan mode is read-only', `${NAMED}\npermissionMode: plan`, { readsOnly: true, tools: null, mode: 'plan' }, [], []],
    [
      'can change files in its own mode, and gives its model by family',
      `${NAMED}\npermissionMode: acceptEdits\nmodel: sonnet`,
      { readsOnly: false, tools: null, mode: 'accept-edits', model: 'sonnet' },
      [],
      [],
    ],
    [
      'can have server tools but not excluded tools, and unsupported fields are reported',
      `${NAMED}\ntools: Read, Grep, Bash, mcp__github__get_issue\ndisallowedTools: Bash\nmaxTurns: 10\nhooks:\n  Stop: []`,
      { readsOnly: false, tools: ['read_file', 'grep', 'mcp__github__get_issue'], excludedTools: ['bash', 'shell'], mode: null },
      ['maxTurns', 'hooks'],
      [],
    ],
    [
      'can exclude a tool of a server',
      `${NAMED}\ntools: Read, mcp__github\ndisallowedTools: mcp__github__delete`,
      { readsOnly: false, tools: ['read_file', 'mcp__github'], excludedTools: ['mcp__github__delete'], mode: null },
      [],
      [],
    ],
    [
      'can exclude all tools of a server and nothing else',
      `${NAMED}\ndisallowedTools: mcp__github`,
      { readsOnly: false, tools: null, excludedTools: ['mcp__github'], mode: null },
      [],
      [],
    ],
  ])('of Claude Code %s', async (_, facts, rights, unusedFields, unknownTools) => {
    const given = await readAgentFile('stem', file(facts), meantTools, 'claude')
    expect(given).toEqual({ ok: true, value: { type: { ...type, ...rights }, unusedFields, unknownTools } })
  })

  test('in Claude Code’s format that only excludes tools allows all others, and its name can contain spaces and capitals', async () => {
    const text = file('name: Code Reviewer\ndescription: d\ndisallowedTools: Write, Edit, Bash')
    const given = await readAgentFile('stem', text, meantTools, 'claude')
    if (!given.ok) throw new Error(given.failure)
    expect(given.value.type.name).toBe('code-reviewer')
    expect(given.value.type).toMatchObject({ readsOnly: false, tools: null })
    expect(given.value.type.excludedTools).toEqual(expect.arrayContaining(['write_file', 'edit_file', 'bash', 'shell']))
  })

  // Claude Code accepts such files, although strict YAML does not.
  test.each([
    ['Use it when: code changed. user: "Review #12"', 'Use it when: code changed. user: "Review #12"'],
    ['Use this agent # always', 'Use this agent # always'],
    ['Careful: yes', 'Careful: yes'],
    ["It's a, b: \\n c", "It's a, b: \\n c"],
    ['true', 'true'],
    ['2026-01-01', '2026-01-01'],
  ])('keeps the unquoted description %j unchanged', async (description, expected) => {
    expect(await read(file(`name: reviewer\ndescription: ${description}\ntools: Read, Grep`))).toMatchObject({
      ok: true,
      value: { type: { description: expected, tools: ['read_file', 'grep'] } },
    })
  })

  test.each([
    ['Just words.', 'The file does not begin with front matter between two lines of ---.'],
    [file('name: reviewer'), 'The file has no description, which the main agent needs to choose this agent.'],
    [file(NAMED, ''), 'The file has no instructions for the agent.'],
    [file(`${NAMED}\nmode: root`), 'There is no mode "root". Available modes: plan, ask, accept-edits, auto, full.'],
    [
      file(`${NAMED}\ntools: Teleport`),
      expect.stringContaining('None of its tools can be used: there is no Teleport. Tools that only read: read_file, '),
    ],
    [file(`${NAMED}\ntools: grep\ndisallowedTools: grep`), expect.stringContaining('None of its tools can be used. Tools that')],
    [file('name: ../x\ndescription: d'), '"../x" is not a valid name: use lower-case letters, digits and hyphens, at most 40.'],
    [file('name: a\ndescription: {'), 'Line 3 cannot be read: description: {'],
    [file('name: a\ndescription: Reviews.\ntools: *'), 'Line 4 cannot be read: tools: *'],
    [file('- a\n- b'), 'Line 2 cannot be read: - a'],
    [file('description'), 'Line 2 cannot be read: description'],
  ])('%j is rejected', async (text, failure) => {
    expect(await read(text)).toEqual({ ok: false, failure })
  })
})

const inProject = (folder: string): string => join(folder, '.countersign', 'agents')
const descriptionOf = (body: { readonly tools?: readonly unknown[] }, name: string): string =>
  (body.tools as readonly { readonly name: string; readonly description: string }[]).find((tool) => tool.name === name)?.description ?? ''
const warningsOf = ({ parent }: Family) =>
  [...parent.record.read()].flatMap(({ event }) => (event.kind === 'WARNING' ? [event.trouble.what] : []))

describe('the agent types of a session', () => {
  test('are built-in, the user’s or the project’s, and an unusable file causes a single warning', async () => {
    const prepare = ({ folder, data }: { readonly folder: string; readonly data: string }) => {
      for (const at of [inProject(folder), join(data, 'agents')]) mkdirSync(at, { recursive: true })
      writeFileSync(join(inProject(folder), 'migrator.md'), file('description: Migrates.\nmode: full', 'CHILD-M: you migrate.'))
      writeFileSync(join(inProject(folder), 'explore.md'), file('description: Mine now.\nmode: full'))
      writeFileSync(join(inProject(folder), 'broken.md'), 'no facts')
      writeFileSync(join(inProject(folder), 'notes.txt'), 'no agent')
      mkdirSync(join(folder, '.claude', 'agents', 'web'), { recursive: true })
      writeFileSync(join(folder, '.claude', 'agents', 'web', 'fixer.md'), file('name: fixer\ndescription: Fixes.\nmaxTurns: 3', 'CHILD-F'))
      writeFileSync(join(data, 'agents', 'reviewer.md'), file('description: Reviews.\ntools: Read', 'CHILD-R: you review.'))
      writeFileSync(join(data, 'secret.md'), file('description: Leads out.'))
      symlinkSync(join(data, 'secret.md'), join(inProject(folder), 'way-out.md'))
    }
    const task = (subagent_type: string) => call('Task', { subagent_type, prompt: 'Go', description: 'A few words' })
    const family = await openFamily(
      ({ who, round }) =>
        who === 'PARENT' ? (round === 0 ? calls(task('reviewer'), task('migrator')) : say('Thanks.')) : say(`By ${who}.`),
      { mode: 'ask', prepare },
    )
    await family.ask()
    await family.ask('Again')
    const bodies = family.model.requests.map(({ body }) => body)
    const kinds = ['explore', 'plan', 'code', 'test', 'reviewer', 'migrator', 'fixer']
    expect([...descriptionOf(bodies[0] ?? {}, 'task').matchAll(/^- ([\w-]+): /gm)].map(([, kind]) => kind)).toEqual(kinds)
    expect(descriptionOf(bodies[0] ?? {}, 'task')).toContain('\n- reviewer: Reviews.\n- migrator: Migrates.\n- fixer: Fixes.')
    const [warning = '', ...others] = warningsOf(family)
    expect(others).toEqual([])
    expect(warning.split('\n')).toEqual([
      '4 entries in your files do not take effect as written.',
      expect.stringMatching(/broken\.md is not used as an agent: The file does not begin/),
      expect.stringMatching(/explore\.md is not used as an agent: There is already an agent called explore\./),
      expect.stringMatching(/way-out\.md is not used as an agent: It leads out of its folder\./),
      expect.stringMatching(/fixer\.md has fields that have no effect here: maxTurns\./),
    ])
    const other = await family.another()
    await other.ask()
    expect(warningsOf(other)).toEqual([])
    const [reviewer, migrator] = [await family.child(0), await family.child(1)].toSorted((a) =>
      a.record.state().parent?.agentType === 'reviewer' ? -1 : 1,
    )
    expect(reviewer?.record.state()).toMatchObject({ config: { mode: 'plan' }, parent: { readsOnly: true, tools: ['read_file'] } })
    // The subagent's mode never exceeds the parent's mode, whatever the file says.
    expect(migrator?.record.state()).toMatchObject({ config: { mode: 'ask' }, parent: { agentType: 'migrator', readsOnly: false } })
    const ofReviewer = bodies.find(({ messages }) => JSON.stringify(messages[0]).includes('Go\\n\\nCHILD-R: you review.'))
    expect((ofReviewer?.tools ?? []).map((tool) => (tool as { name: string }).name)).toEqual(['read_file', 'read_output'])
  })

  test('cause the warning again in the next session if the first session did not store it', async () => {
    const store = await openedInMemory()
    let kept: unknown = null
    const seen = createShownNotices({ read: () => kept, write: (value) => void (kept = value) })
    const trouble = { code: 'agent_file', what: 'A is not used.', kept: '', todo: '' }
    const next = (id: string) => {
      const record = createRecord({ sessionId: session(id), log: store.log(session(id)), clock: systemClock })
      const children = { ids: () => [], attend: () => Promise.resolve() }
      return { record, news: () => createNews({ children, store, troubles: [trouble], seen })(record) }
    }
    const warning = { kind: 'WARNING', trouble } as const
    expect(await next('a').news()).toEqual([warning])
    const second = next('b')
    expect(await second.news()).toEqual([warning])
    second.record.append(warning)
    expect(await next('c').news()).toEqual([])
  })

  test('are not read from a folder that is no longer trusted', async () => {
    const prepare = ({ folder }: { readonly folder: string }) => {
      mkdirSync(inProject(folder), { recursive: true })
      writeFileSync(join(inProject(folder), 'broken.md'), 'no facts')
    }
    const family = await openFamily(() => say('Hello.'), { prepare })
    await family.app.close()
    const made = await createApp({ ...family.app.parts, trusted: null })
    if (!made.ok) throw new Error(made.failure.what)
    onTestFinished(() => made.value.close())
    const opened = await made.value.sessions.open(family.parent.sessionId)
    if (!opened.ok) throw new Error(opened.failure.what)
    const sent = await opened.value.send({ inputId: 'in_1', text: 'Go', delivery: 'queue' })
    expect(sent).toMatchObject({ ok: false, trouble: { code: 'not_trusted' } })
    expect([...opened.value.record.read()].map(({ event }) => event.kind)).toEqual(['SESSION_START'])
    expect(family.model.requests).toEqual([])
  })

  test('cannot let a subagent leave plan mode (C19)', async () => {
    const family = await openFamily(
      ({ who, round }) => (who === 'PARENT' && round === 0 ? calls(call('task', { agent_type: 'code', prompt: 'CHILD-A' })) : say('Done.')),
      { mode: 'plan' },
    )
    await family.ask()
    const names = family.model.requests.map(({ body }) => (body.tools ?? []).map((tool) => (tool as { name: string }).name))
    expect(names.map((own) => own.includes('exit_plan_mode'))).toEqual([true, false, true])
  })
})
