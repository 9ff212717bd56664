import { wordList } from '../../shared/lib/word-list.ts'
import { delimiter, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { commandEnvironment } from '../../main/environment/env-policy.ts'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import { tempFolder } from './support.ts'

const OURS = { PAGER: 'cat', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', GIT_EDITOR: 'false', TERM: 'dumb' }
const core = (parent: NodeJS.ProcessEnv, allow: readonly string[] = []) => commandEnvironment(parent, { policy: 'inherit_core', allow })
const filled = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 'value']))

describe('the default policy', () => {
  it('P2-47: removes variables whose names end in a secret word, in upper or lower case', () => {
    const names = [
      'MY_API_KEY',
      'my_api_key',
      'Client_Secret',
      'GITHUB_TOKEN',
      'db_password',
      'AZURE_CREDENTIAL',
      'AWS_SECRET_ACCESS_KEY',
      'PGPASSWORD',
    ]
    expect(core(filled(names))).toEqual(OURS)
  })

  it('P2-47: removes variables whose names end in a secret word, whatever the prefix', () => {
    const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,12}$/)
    const ending = fc.constantFrom('_API_KEY', '_SECRET', '_TOKEN', '_PASSWORD', '_CREDENTIAL', '_api_key', '_Token')
    fc.assert(
      fc.property(name, ending, (start, end) => {
        expect(core({ [start + end]: 'x' })).toEqual(OURS)
      }),
    )
  })

  it('P2-48: always keeps the listed variables, and sets TERM for commands', () => {
    const kept = [
      'HOME',
      'USER',
      'SHELL',
      'LANG',
      'TMPDIR',
      'GOPATH',
      'CARGO_HOME',
      'NVM_DIR',
      'RUSTUP_HOME',
      'PYENV_ROOT',
      'JAVA_HOME',
      'NODE_PATH',
    ]
    const parent = { ...filled(kept), PATH: '/usr/bin', TERM: 'xterm' }
    expect(core(parent)).toEqual({ ...filled(kept), PATH: '/usr/bin', ...OURS })
    const { GIT_EDITOR: _, ...shared } = OURS
    expect(commandEnvironment(parent, { policy: 'inherit_core', terminal: true })).toEqual({
      ...filled(kept),
      PATH: '/usr/bin',
      ...shared,
      TERM: 'xterm-256color',
    })
  })

  it('without a terminal, git does not wait for an editor, but fails immediately and says which option to use', async () => {
    vi.stubEnv('EDITOR', 'sleep 300 #')
    const environment = createLocalExecutionEnvironment(tempFolder())
    const git = 'git -c user.name=a -c user.email=a@b -c core.editor="sleep 300 #"'
    const { exitCode, timedOut, stderr } = await environment.execCommand(`git init -q && ${git} commit --allow-empty`, {
      timeoutMs: 60_000,
    })
    expect({ exitCode, timedOut, stderr }).toEqual({
      exitCode: 1,
      timedOut: false,
      stderr: expect.stringContaining('using either -m or -F'),
    })
    const own = `EDITOR=false GIT_EDITOR='echo said >' ${git} commit -q --allow-empty && git log --format=%s`
    expect(await environment.execCommand(own, { timeoutMs: 60_000 })).toMatchObject({ exitCode: 0, stdout: 'said\n' })
  })

  it('D-13: keeps variables that are not sensitive', () => {
    const names = ['EDITOR', 'TOKENIZER', 'PASSWORD_STORE_DIR', 'SSH_AUTH_SOCK', 'KEYBOARD', 'npm_config_registry', 'ENVIRONMENT']
    expect(core(filled(names))).toEqual({ ...filled(names), ...OURS })
  })

  it('security 2.4: removes variables that would load foreign code into every command', () => {
    const names = wordList(`
  LD_PRELOAD DYLD_INSERT_LIBRARIES BASH_ENV ENV PROMPT_COMMAND PS4 CDPATH NODE_OPTIONS PYTHONSTARTUP PYTHONPATH PERL5OPT RUBYOPT
  GIT_DIR GIT_SSH_COMMAND SSH_ASKPASS LESSOPEN ELECTRON_RUN_AS_NODE COUNTERSIGN_HOME BASH_FUNC_ls%%
`)
    expect(core(filled(names))).toEqual(OURS)
  })

  it('T-16: variables in a project’s allow list are kept', () => {
    const parent = filled(['NPM_TOKEN', 'GH_TOKEN', 'CI_JOB_TOKEN', 'AWS_SECRET'])
    expect(core(parent, ['npm_token', 'CI_*'])).toEqual({ ...filled(['NPM_TOKEN', 'CI_JOB_TOKEN']), ...OURS })
    expect(core(parent, ['.*'])).toEqual(OURS)
  })

  it('P2-49: the caller’s variables come last and override everything', () => {
    const caller = { PAGER: 'less', MY_TOKEN: 'given', PATH: '/bin' }
    expect(commandEnvironment({ PATH: '/usr/bin', PAGER: 'more' }, { policy: 'inherit_core' }, caller)).toEqual({ ...OURS, ...caller })
  })
})

it('T-16: a changed allow list applies from the next command on', async () => {
  vi.stubEnv('BUILD_TOKEN', 'secret')
  const allowed: string[] = []
  const env = createLocalExecutionEnvironment(tempFolder(), { allowVariables: () => allowed })
  const seen = async (): Promise<string> => (await env.execCommand('echo "[$BUILD_TOKEN]"')).stdout.trim()
  const before = await seen()
  allowed.push('BUILD_*')
  expect([before, await seen()]).toEqual(['[]', '[secret]'])
})

it('P2-30, D-13: inherit_all keeps everything except our own variables, and inherit_none only PATH', () => {
  const parent = { ...filled(['MY_TOKEN', 'LD_PRELOAD', 'EDITOR', 'COUNTERSIGN_HOME']), PATH: '/usr/bin' }
  expect(commandEnvironment(parent, { policy: 'inherit_all' })).toEqual({
    ...filled(['MY_TOKEN', 'LD_PRELOAD', 'EDITOR']),
    PATH: '/usr/bin',
    ...OURS,
  })
  expect(commandEnvironment(parent, { policy: 'inherit_none' })).toEqual({ PATH: '/usr/bin', ...OURS })
})

describe('variables that come from how we were started', () => {
  const root = join(import.meta.dirname, '..', '..')
  const ours = [
    join(root, 'node_modules', '.bin'),
    join(root, '..', 'node_modules', '.bin'),
    '/usr/lib/node_modules/npm/node_modules/@npmcli/run-script/lib/node-gyp-bin',
  ]

  it('when we are started by npm, commands get no npm_ variable and none of our folders on PATH', () => {
    const npm = filled(['npm_lifecycle_event', 'npm_config_cache', 'npm_package_name', 'npm_execpath', 'INIT_CWD', 'NODE', 'COLOR'])
    const path = [...ours, '/home/me/project/node_modules/.bin', '/usr/bin'].join(delimiter)
    expect(core({ ...npm, PATH: path })).toEqual({ PATH: ['/home/me/project/node_modules/.bin', '/usr/bin'].join(delimiter), ...OURS })
  })

  it('when we are started by npm, commands get the user’s editor, not npm’s', () => {
    const npm = filled(['npm_lifecycle_event'])
    expect(core({ ...npm, EDITOR: 'vi' })).toEqual(OURS)
    expect(core({ ...npm, EDITOR: 'vim -f' })).toEqual({ EDITOR: 'vim -f', ...OURS })
    expect(core({ EDITOR: 'vi' })).toEqual({ EDITOR: 'vi', ...OURS })
  })

  it('when we are started without npm, npm variables that the user set are kept', () => {
    expect(core({ npm_config_registry: 'x', NODE: 'y' })).toEqual({ npm_config_registry: 'x', NODE: 'y', ...OURS })
  })

  it('P2-54: a real command sees the core variables, but neither secrets nor our own variables', async () => {
    vi.stubEnv('MY_SECRET', 'hidden')
    vi.stubEnv('npm_lifecycle_event', 'start')
    vi.stubEnv('npm_config_x', 'y')
    vi.stubEnv('PATH', [...ours, process.env['PATH']].join(delimiter))
    const env = createLocalExecutionEnvironment(tempFolder())
    const { stdout } = await env.execCommand('env')
    const names = stdout.split('\n').map((line) => line.slice(0, line.indexOf('=')))
    expect(names.filter((name) => /SECRET|^npm_/.test(name))).toEqual([])
    expect(names).toEqual(expect.arrayContaining(['PATH', 'HOME', 'TERM']))
    expect(
      /^PATH=(.*)$/m
        .exec(stdout)?.[1]
        ?.split(delimiter)
        .filter((entry) => ours.includes(entry)),
    ).toEqual([])
  })

  it('fault 31: with an empty PATH the shell uses its default PATH', async () => {
    vi.stubEnv('PATH', '')
    const env = createLocalExecutionEnvironment(tempFolder())
    expect(await env.execCommand('ls -d /')).toMatchObject({ stdout: '/\n', exitCode: 0 })
  })
})

it('whether a variable is removed never depends on other variables', () => {
  const name = fc.stringMatching(/^[A-Z][A-Z_]{0,14}$/)
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 20 }), (names) => {
      const together = Object.keys(core(filled(names))).filter((kept) => !(kept in OURS))
      const alone = names.filter((one) => one in core({ [one]: 'value' }) && !(one in OURS))
      expect(together.toSorted()).toEqual(alone.toSorted())
    }),
  )
})

describe('passwords in addresses', () => {
  const HELD = {
    DATABASE_URL: 'postgres://app:hunter2@db.internal:5432/app',
    SENTRY_DSN: 'https://0123456789abcdef@o1.ingest.sentry.io/2',
    REDIS_URL: 'redis://:hunter2@localhost:6379',
    AMQP: 'amqps://user:p%40ss@host/vhost',
    HTTPS_PROXY: 'http://user:hunter2@proxy:3128',
    JDBC: 'jdbc:postgresql://db/app?user=app&password=hunter2',
    STORAGE: 'DefaultEndpointsProtocol=https;AccountName=a;AccountKey=abc123==;EndpointSuffix=core.windows.net',
    MSSQL: 'Server=db;Database=app;User Id=sa;Password=hunter2;',
    NPM_REGISTRY: 'https://token123@registry.example/',
  }
  const PASSED = {
    DOCKER_HOST: 'ssh://me@build.example',
    REPOSITORY: 'git@example.org:me/repo.git',
    HTTP_PROXY: 'http://proxy:3128',
    BASE: 'https://example.org/a:b@c?x=1',
    DATABASE: 'postgres://app@db/app',
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1000/bus',
    LS_COLORS: 'rs=0:di=01;34:ln=01;36',
  }

  it('a variable is removed if its value contains such an address, whatever its name', () => {
    expect(core({ ...HELD, ...PASSED })).toEqual({ ...PASSED, ...OURS })
  })

  it('the user can allow a variable by name', () => {
    expect(core(HELD, ['DATABASE_URL'])).toEqual({ DATABASE_URL: HELD.DATABASE_URL, ...OURS })
  })
})
