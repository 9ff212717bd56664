import type { ProviderEntry } from '../../providers/provider-registry.ts'
import { APPROVAL_HELP } from './approval-options.ts'
import { COMMANDS_HELP } from './commands-help.ts'
import { UNDO_HELP } from './undo-arguments.ts'

const LIMITS_HELP = `Limits
  --max-rounds N       stops after N rounds of tool calls (default: no limit)
  --max-tokens N       makes no request after N tokens, including those of subagents (default: from the settings)
  --max-usd N          makes no request after N US dollars at the known prices (default: from the settings).
                       A model without a known price is then not used, unless it runs on this machine
  --max-turn-tokens N, --max-turn-usd N
                       the same for one turn; a task is one turn
  --idle-limit MS      gives up on an answer after MS milliseconds without a byte (default: from the settings)
  --retry-for SECONDS  how long to retry if a service is overloaded, limits requests or cannot be reached (default: from
                       the settings, 600: ten minutes). 0: two retries, about 3 s`

/** The text of `--help`. */
export function runHelp(providers: readonly ProviderEntry[]): string {
  const known = selectable(providers)
  return `Runs one task without a window and reports how it ended.

  npm run -s agent -- [options] "task"
  npm run -s agent -- --continue ["task"], or --resume ID ["task"]
  npm run -s agent -- plan FILE ["task"]: carries out a plan that you agreed to
  npm run -s agent -- undo STEP, or rollback STEP, or redo last
  npm run -s agent -- bring-in SESSION_ID|last: asks to sign what a session beside the folder has changed in its layer
  npm run -s agent -- state SESSION_ID|last [--json]: its stage, its plan and what it waits for
  npm run -s agent -- --acp: an editor runs sessions over standard input and output (Agent Client Protocol)
  npm run -s agent -- --answer REQUEST_ID sign, or refuse, or the answers to its questions

Task
  --cwd DIR            project folder (default: the current folder). The run trusts its documents
  --place ADDRESS      works in a folder on another machine: ssh://HOST/PATH, or container:NAME/PATH. Countersign’s code is
                       installed in ~/.cache/countersign there, once. Or works on the project folder in a new container
                       (image:NAME, or devcontainer: as its devcontainer.json says), or on a clone of it in a pod of a
                       Kubernetes cluster (k8s://CONTEXT/NAMESPACE?image=NAME). See docs/places.md
  --image PATH         adds a picture to the task (PNG, JPEG, GIF, WebP, at most 3.75 MB); up to 20 times
  --instructions FILE  your own instructions; they come last in the prompt and take precedence
  --plan FILE          carries out the plan in a Markdown file, as you or the desk wrote it: numbered steps, and what they
                       touch and run in \`code\`. The option counts as your signature; the task can then be left out.
                       Steps that the plan does not include need approval or are refused, in every mode
  --resume ID          continues a stored session of this folder: with a new task, or where its last turn stopped.
                       Provider, model, effort and mode stay the same unless you give them
  --continue           the same for the newest session of this folder
  --beside             works in a layer over the folder: nothing asks, and the folder changes only by bring-in
  --agent ID           another agent works in the layer, such as claude, codex or goose, if it is installed; bring-in signs
                       its work. agents.json in the data folder adds agents
  --rehearse           plays the rehearsal in a copy of the sample project, which is removed at the end. A script plays
                       the model and the user; no key is needed

Model
  --provider NAME      ${known.map(({ id }) => id).join(', ')}
  --model NAME         the provider's name for the model
  --base-url URL       another address of the provider
  --effort LEVEL       none, minimal, low, medium, high, xhigh, max. A level that the model does not support becomes
                       the nearest one
  --context-window N   tokens that the model accepts, instead of the known number
  --price IN,OUT       price of the model in US dollars per million tokens; also IN,OUT,CACHE_READ,CACHE_WRITE
  --list-models        lists the provider's models instead of running a task. You can use names that are not listed

${APPROVAL_HELP}

${UNDO_HELP}

${COMMANDS_HELP}

${LIMITS_HELP}

Other
  --pty                runs commands in terminals, as the desktop app does (default: pipes, as in CI). Nobody can type
                       into them: a command that waits for input is stopped at its time limit, after 2 min at the latest
  --data DIR           where sessions are stored (default: COUNTERSIGN_HOME, or the platform's default folder)
  --json, --no-json    events as JSON lines, or readable progress (default: JSON lines unless in a terminal)

Paths are relative to the current folder. Keys come from the environment:
${known.map((entry) => `  ${entry.id.padEnd(20)} ${variables(entry)}`).join('\n')}

A JSON line is {seq, sessionId, after, at, event, blobs, ran}. \`blobs\` maps each hash in the event to a file in the data
folder: outputs above 64 KB, and files before and after a change. \`seq\` is null for live events, which are not stored.
\`ran\` says how the command of an event runs: in a copy of the folder ("copy"), confined to it ("confined") or for
"real". \`saved: false\` marks an event that could not be stored yet and may be lost. For a stored session, the lines start
where the run continues.

At a question: y signs, n refuses, any other text refuses and is sent to the agent as a message. Ctrl+D refuses this
and all later requests; Ctrl+C stops the turn.

${EXIT_CODES}
`
}

const EXIT_CODES = `Exit codes
  0    the agent finished (in a rehearsal: and the sample's tests pass). Refused requests do not change it; the last
       line on standard error counts those that nobody could sign
  1    the agent did not finish: error, limit, stopped, or the reader of the output went away (| head)
  2    wrong usage
  3    paused (--pause): requests wait for a signature
  130  a second Ctrl+C or signal stopped it immediately`

/** The providers that `--provider` accepts. The rehearsal has its own option. */
export const selectable = (providers: readonly ProviderEntry[]): readonly ProviderEntry[] =>
  providers.filter(({ id, available }) => available && id !== 'rehearsal')

const variables = ({ keyVariables, baseUrlVariable }: ProviderEntry): string =>
  [keyVariables.join(' or '), ...(baseUrlVariable ? [`address: ${baseUrlVariable}`] : [])].join('; ')
