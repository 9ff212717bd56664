/** A third-party agent that speaks the Agent Client Protocol. */
export interface AgentEntry {
  /** The name of the agent in settings, options and logs. */
  readonly id: string
  readonly name: string
  /** The program, which is looked up in PATH, and its arguments. */
  readonly program: string
  readonly args: readonly string[]
  /** The command that installs the program. */
  readonly install: string
  /** The command that signs in to its account. The user runs it outside of any layer, because a sign-in may open a browser. */
  readonly signIn: string
  /** The version that was tested with this version of Countersign. Empty if none was. */
  readonly tested: string
  /**
   * The agent's modes, preferred one first. The most permissive mode is preferred: the agent works in a layer and its work is signed at
   * bring-in, so its own questions would ask about the same work twice.
   */
  readonly modes: readonly string[]
  /** The folders and files of its sign-in and settings, relative to home. Programs in other layers do not see them. */
  readonly state: readonly string[]
  /** The files that configure what it runs, such as hooks, servers and permissions, relative to home. Changes to them are reported. */
  readonly settings: readonly string[]
  /** Names of the hosts that it may reach without asking. `*.name` matches all subdomains of `name`. */
  readonly hosts: readonly string[]
  /** Names of the user's variables that are passed on to it. */
  readonly variables: readonly string[]
  /** Further variables that are set for it. */
  readonly env: Readonly<Record<string, string>>
}

/** The built-in catalogue of agents, in the order in which they are offered. */
export const AGENTS: readonly AgentEntry[] = [
  {
    id: 'claude',
    name: 'Claude Code',
    program: 'claude-agent-acp',
    args: [],
    install: 'npm install -g @agentclientprotocol/claude-agent-acp',
    signIn: 'claude-agent-acp --cli auth login --claudeai',
    tested: '0.101.0',
    modes: ['bypassPermissions', 'acceptEdits', 'default'],
    state: ['.claude', '.claude.json'],
    settings: ['.claude/settings.json', '.claude/settings.local.json', '.claude/CLAUDE.md'],
    hosts: ['api.anthropic.com', 'console.anthropic.com', 'platform.claude.com', 'claude.ai'],
    variables: ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN', 'CLAUDE_CONFIG_DIR'],
    // It runs confined, so it may skip its own questions even as root.
    env: { DISABLE_AUTOUPDATER: '1', IS_SANDBOX: '1' },
  },
  {
    id: 'codex',
    name: 'Codex',
    program: 'codex-acp',
    args: [],
    install: 'npm install -g @agentclientprotocol/codex-acp',
    signIn: 'codex login',
    tested: '2.6.0',
    modes: ['agent-full-access', 'full-access', 'agent'],
    state: ['.codex'],
    settings: ['.codex/config.toml', '.codex/hooks.json', '.codex/AGENTS.md'],
    hosts: ['api.openai.com', 'auth.openai.com', 'chatgpt.com'],
    variables: ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'CODEX_API_KEY', 'CODEX_HOME'],
    env: {},
  },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    program: 'gemini',
    args: ['--acp'],
    install: 'npm install -g @google/gemini-cli',
    signIn: 'gemini',
    tested: '0.61.0',
    modes: ['yolo', 'autoEdit', 'default'],
    state: ['.gemini'],
    settings: ['.gemini/settings.json', '.gemini/GEMINI.md'],
    hosts: ['generativelanguage.googleapis.com', 'cloudcode-pa.googleapis.com', 'oauth2.googleapis.com', 'aiplatform.googleapis.com'],
    variables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GEMINI_BASE_URL', 'GOOGLE_CLOUD_PROJECT'],
    env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' },
  },
  {
    id: 'opencode',
    name: 'opencode',
    program: 'opencode',
    args: ['acp'],
    install: 'npm install -g opencode-ai',
    signIn: 'opencode auth login',
    tested: '1.18.33',
    modes: ['build'],
    state: ['.config/opencode', '.local/share/opencode'],
    settings: ['.config/opencode/opencode.json', '.config/opencode/AGENTS.md'],
    hosts: ['api.anthropic.com', 'api.openai.com', 'opencode.ai', '*.opencode.ai', 'openrouter.ai', 'models.dev'],
    variables: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENROUTER_API_KEY', 'GEMINI_API_KEY'],
    env: { OPENCODE_DISABLE_AUTOUPDATE: '1' },
  },
  {
    id: 'goose',
    name: 'Goose',
    program: 'goose',
    args: ['acp'],
    install: 'npm install -g @aaif/goose',
    signIn: 'goose configure',
    tested: '0.20.1',
    modes: ['auto', 'approve'],
    state: ['.config/goose', '.local/share/goose'],
    settings: ['.config/goose/config.yaml', '.config/goose/.goosehints'],
    hosts: ['api.anthropic.com', 'api.openai.com', 'openrouter.ai', 'generativelanguage.googleapis.com'],
    variables: [
      'GOOSE_PROVIDER',
      'GOOSE_MODEL',
      'OPENAI_API_KEY',
      'OPENAI_HOST',
      'ANTHROPIC_API_KEY',
      'ANTHROPIC_HOST',
      'OPENROUTER_API_KEY',
    ],
    env: { GOOSE_MODE: 'auto', GOOSE_DISABLE_KEYRING: '1' },
  },
  {
    id: 'qwen',
    name: 'Qwen Code',
    program: 'qwen',
    args: ['--acp'],
    install: 'npm install -g @qwen-code/qwen-code',
    signIn: 'qwen',
    tested: '0.24.4',
    modes: ['yolo', 'auto-edit', 'default'],
    state: ['.qwen'],
    settings: ['.qwen/settings.json', '.qwen/QWEN.md'],
    hosts: ['dashscope.aliyuncs.com', 'dashscope-intl.aliyuncs.com', 'chat.qwen.ai'],
    variables: ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_MODEL', 'DASHSCOPE_API_KEY'],
    env: {},
  },
  {
    id: 'pi',
    name: 'pi',
    program: 'pi-acp',
    args: [],
    install: 'npm install -g pi-acp @earendil-works/pi-coding-agent',
    signIn: 'pi',
    tested: '0.0.34',
    modes: [],
    state: ['.pi'],
    settings: ['.pi/agent/settings.json', '.pi/agent/models.json'],
    hosts: ['api.anthropic.com', 'api.openai.com', 'openrouter.ai', 'generativelanguage.googleapis.com'],
    variables: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY', 'OPENROUTER_API_KEY'],
    env: { PI_SKIP_VERSION_CHECK: '1' },
  },
  {
    id: 'cline',
    name: 'Cline',
    program: 'cline',
    args: ['--acp'],
    install: 'npm install -g cline',
    signIn: 'cline auth',
    tested: '3.0.65',
    modes: ['act'],
    state: ['.cline'],
    settings: [],
    hosts: ['api.cline.bot', 'api.anthropic.com', 'api.openai.com', 'openrouter.ai'],
    variables: ['CLINE_API_KEY', 'CLINE_PROVIDER', 'CLINE_MODEL'],
    env: { CLINE_NO_AUTO_UPDATE: '1' },
  },
]
